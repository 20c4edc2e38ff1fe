# The program must not search libraries in folders of its own choice (an empty RUNPATH element means the working directory),
# and must bind all symbols at the start, be position independent and have a stack that cannot be executed.
#   cmake -DREADELF=readelf -DPROGRAM=dynid -P hardening.cmake
execute_process(COMMAND ${READELF} -dhlW ${PROGRAM} OUTPUT_VARIABLE facts RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${READELF} cannot read ${PROGRAM}")
endif()
if(facts MATCHES "\\((RUNPATH|RPATH)\\)[^\n]*")
  message(FATAL_ERROR "${PROGRAM} names folders to search for libraries: ${CMAKE_MATCH_0}")
endif()
foreach(needed "BIND_NOW|FLAGS_1[^\n]*NOW" "GNU_RELRO" "FLAGS_1[^\n]*PIE|Type:[^\n]*DYN")
  if(NOT facts MATCHES "${needed}")
    message(FATAL_ERROR "${PROGRAM} lacks ${needed}")
  endif()
endforeach()
if(facts MATCHES "GNU_STACK[^\n]*RWE")
  message(FATAL_ERROR "${PROGRAM} has an executable stack")
endif()
