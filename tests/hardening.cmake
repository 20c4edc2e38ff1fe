# Checks the program's hardening: no RUNPATH (an empty element of it means the working directory), all symbols bound at the
# start, position independent code, a stack that is not executable, and checks of writes past buffers on the stack and in calls
# of the C library.
#   cmake -DREADELF=readelf -DPROGRAM=dynid -P hardening.cmake
execute_process(COMMAND ${READELF} -dhlW --dyn-syms ${PROGRAM} OUTPUT_VARIABLE facts RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${READELF} cannot read ${PROGRAM}")
endif()
if(facts MATCHES "\\((RUNPATH|RPATH)\\)[^\n]*")
  message(FATAL_ERROR "${PROGRAM} names folders to search for libraries: ${CMAKE_MATCH_0}")
endif()
foreach(needed "BIND_NOW|FLAGS_1[^\n]*NOW" "GNU_RELRO" "FLAGS_1[^\n]*PIE|Type:[^\n]*DYN" "__stack_chk_fail" "_chk@")
  if(NOT facts MATCHES "${needed}")
    message(FATAL_ERROR "${PROGRAM} lacks ${needed}")
  endif()
endforeach()
if(facts MATCHES "GNU_STACK[^\n]*RWE")
  message(FATAL_ERROR "${PROGRAM} has an executable stack")
endif()
