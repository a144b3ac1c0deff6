# cpack: a .deb and a .tar.gz of the installed tree; with CPackSourceConfig.cmake, a tarball of the sources.
set(CPACK_PACKAGE_NAME faultline)
set(CPACK_PACKAGE_VENDOR "The Faultline authors")
set(CPACK_PACKAGE_CONTACT "The Faultline authors <faultline@users.noreply.github.com>" CACHE STRING "Maintainer of the .deb")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "self-tests for GPUs, and fault injection that proves them")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)

# The same tools with the RTL, netlists and proofs: in place of the other package.
if(FAULTLINE_RTL)
  set(CPACK_PACKAGE_NAME faultline-rtl)
  set(CPACK_DEBIAN_PACKAGE_PROVIDES "faultline (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS faultline)
  set(CPACK_DEBIAN_PACKAGE_REPLACES faultline)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-14 | clang-15 | clang-16, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Faultline writes self-test programs for GPU streaming multiprocessors as
NVIDIA sm_10 binaries, runs them on a cycle-exact model of such a machine,
injects permanent and transient faults, and reports what each does.")
# Debian wants its own form of the changelog: the first release in it. What is not released yet may stand before that.
file(STRINGS CHANGELOG.md RELEASE REGEX "^## [0-9]" LIMIT_COUNT 1)
if(NOT RELEASE MATCHES "^## ([0-9.]+), ([0-9-]+)$" OR NOT CMAKE_MATCH_1 VERSION_EQUAL PROJECT_VERSION)
  message(FATAL_ERROR "CHANGELOG.md has '${RELEASE}': the first release there is '## ${PROJECT_VERSION}, YEAR-MONTH-DAY'")
endif()
execute_process(COMMAND env LC_ALL=C date -u -R -d ${CMAKE_MATCH_2} OUTPUT_VARIABLE RELEASED OUTPUT_STRIP_TRAILING_WHITESPACE)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/changelog @ONLY CONTENT
"@CPACK_PACKAGE_NAME@ (@PROJECT_VERSION@) bookworm; urgency=medium

  * See CHANGELOG.md.

 -- @CPACK_PACKAGE_CONTACT@  @RELEASED@
")
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${DOC})
if(FAULTLINE_RTL) # where Debian looks for them
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${DOC}-rtl)
  install(FILES LICENSE DESTINATION ${DOC}-rtl RENAME copyright)
endif()
install(FILES packaging/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${CPACK_PACKAGE_NAME})

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME faultline-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES /build/ /out/ "/[.]git/" "/[.]git$" compile_commands.json)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/tarball.cmake)
include(CPack)
