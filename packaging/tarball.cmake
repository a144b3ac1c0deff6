# Called by cpack before it packs: in a tarball of the sources, revision.txt says what a clone would.
file(GLOB_RECURSE TOLD ${CPACK_TEMPORARY_DIRECTORY}/revision.txt)
if(TOLD)
  execute_process(COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_CURRENT_LIST_DIR}/.. -D OUT=${CPACK_TEMPORARY_DIRECTORY}.h
    -P ${CMAKE_CURRENT_LIST_DIR}/revision.cmake)
  file(STRINGS ${CPACK_TEMPORARY_DIRECTORY}.h LINE)
  string(REGEX MATCH "\"([^\"]*)\"" LINE "${LINE}") # the first of the two lines
  file(WRITE ${TOLD} "${CMAKE_MATCH_1}\n")
endif()
