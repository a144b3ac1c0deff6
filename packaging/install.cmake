# What is installed: the tools, their data in share/faultline, what people read in share/doc/faultline. Nothing of it names
# another place, so the tree works wherever it lies.
set(TOOLS faultsim gatesim sasm sbstgen sdis smcc smrun smtrace)
install(TARGETS ${TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# smcc looks for it beside the folder of its own; programs are told its place.
install(TARGETS cudart LIBRARY DESTINATION lib/faultline)
# Programs of the driver API are compiled and linked by their users: -I, -L and -rpath name these two.
install(TARGETS libcuda LIBRARY DESTINATION lib/faultline)
install(FILES host/libcuda/cuda.h DESTINATION include/faultline)

# OpenCL's loader is told its place (OCL_ICD_VENDORS); not in /etc/OpenCL/vendors, where it would be the first GPU of every program.
if(OPENCL_HEADERS)
  install(TARGETS opencl LIBRARY DESTINATION lib/faultline)
endif()

# Man pages and completion say what --help says: the tools write them.
set(PAGES)
function(page file filter) # and the command that prints it
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${file}
    COMMAND sh -c "\"$@\" | ${filter} >${PROJECT_BINARY_DIR}/${file}" page ${ARGN} DEPENDS ${ARGV2} VERBATIM)
  set(PAGES ${PAGES} ${PROJECT_BINARY_DIR}/${file} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man ${PROJECT_BINARY_DIR}/completion)
foreach(tool ${TOOLS})
  page(man/${tool}.1.gz "gzip -9n" $<TARGET_FILE:${tool}> --generate man)
  page(completion/${tool} cat $<TARGET_FILE:${tool}> --generate completion)
endforeach()
foreach(command stuck-at memory transient intermittent gate prove dictionary merge report compare)
  page(man/faultsim-${command}.1.gz "gzip -9n" $<TARGET_FILE:faultsim> ${command} --generate man)
endforeach()
add_custom_target(manual ALL DEPENDS ${PAGES})
add_custom_target(product DEPENDS ${TOOLS} cudart libcuda $<TARGET_NAME_IF_EXISTS:opencl> manual bench_programs workload_jobs) # all that is installed, and no test
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY ${PROJECT_BINARY_DIR}/completion/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

set(DATA ${CMAKE_INSTALL_DATADIR}/faultline)
install(DIRECTORY profiles sbst DESTINATION ${DATA} FILES_MATCHING PATTERN *.xml PATTERN *.sasm PATTERN sbst/runner/*.[ch])
file(GLOB schemas CONFIGURE_DEPENDS docs/*.rng)
install(FILES ${schemas} DESTINATION ${DATA}/docs)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/faultline/examples DESTINATION ${DATA})
if(FAULTLINE_RTL) # what scripts/gates, prove-control, lane-selftest and control-rows have left there
  set(FAULTLINE_NETLISTS ${PROJECT_BINARY_DIR}/gates CACHE PATH "folder of the netlists, proofs, groups and rows that are installed")
  install(DIRECTORY ${FAULTLINE_NETLISTS}/ DESTINATION ${DATA}/gates OPTIONAL
    FILES_MATCHING REGEX "[.](blif|proved|constraints|groups|rows[.]xml|verdicts[.]csv)$")
endif()
install(PROGRAMS scripts/slurm/campaign DESTINATION ${DATA}/slurm)
install(FILES ${PROJECT_BINARY_DIR}/lib/python3/dist-packages/faultline.py DESTINATION lib/python3/dist-packages)

set(DOC ${CMAKE_INSTALL_DATADIR}/doc/faultline)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff DESTINATION ${DOC})
install(FILES LICENSE DESTINATION ${DOC} RENAME copyright)
# The texts link to each other, so they keep their folders.
install(DIRECTORY docs results DESTINATION ${DOC} FILES_MATCHING REGEX "[.](md|svg|png|csv|tsv|html|constraints)$")
# The same as a site with search, where mkdocs is installed.
install(CODE "
  find_program(MKDOCS mkdocs)
  if(MKDOCS)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/docs \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${DOC}/html COMMAND_ERROR_IS_FATAL ANY)
  endif()")
foreach(folder asm tests tests/fuzz)
  install(FILES ${folder}/README.md DESTINATION ${DOC}/${folder})
endforeach()
