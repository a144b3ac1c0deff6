# cmake -D SOURCE=... -D OUT=revision.h -P revision.cmake: which revision of the sources is built. A clone says it; for
# a tarball revision.txt does, which git archive and cpack fill in.
cmake_minimum_required(VERSION 3.25)
set(REVISION unknown)
file(STRINGS ${SOURCE}/packaging/revision.txt TOLD LIMIT_COUNT 1)
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git describe --always --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE SAID OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # Tables of results are made by programs of one revision, one after the other.
  execute_process(COMMAND git diff --quiet HEAD -- . :!results WORKING_DIRECTORY ${SOURCE}
    RESULT_VARIABLE CHANGED OUTPUT_QUIET ERROR_QUIET)
  if(SAID AND CHANGED)
    string(APPEND SAID +changes)
  endif()
  if(SAID)
    set(REVISION ${SAID})
  endif()
elseif(NOT TOLD MATCHES "Format")
  set(REVISION ${TOLD})
endif()
set(SAID_BY_EXPORTS "")
if(NOT REVISION STREQUAL unknown)
  set(SAID_BY_EXPORTS " revision=${REVISION}")
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "#define FAULTLINE_REVISION \"@REVISION@\"
#define FAULTLINE_REVISION_OF_EXPORTS \"@SAID_BY_EXPORTS@\"
")
