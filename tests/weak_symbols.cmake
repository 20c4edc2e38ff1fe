# Units compiled for an instruction set must not define weak symbols, which another unit may define too: the linker keeps one
# definition for the whole program, perhaps one that this processor cannot run. The units of dense linear algebra compile Eigen
# in namespaces of their own (eigen_of_avx2 ...), whose symbols exist in one unit only; the reference to the exceptions'
# personality routine is no code.
#   cmake -DNM=nm -DLIBRARY=libdynid_kernels.a -P weak_symbols.cmake
execute_process(COMMAND ${NM} --defined-only ${LIBRARY} OUTPUT_VARIABLE listing RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "${NM} failed on ${LIBRARY}")
endif()
string(REPLACE "\n" ";" lines "${listing}")
set(native FALSE)
set(units 0)
foreach(line ${lines})
  if(line MATCHES "^(.*)\\.o:$")
    set(native FALSE)
    if(CMAKE_MATCH_1 MATCHES "unit_(dense_)?((avx|sse)[0-9]+)")
      set(native TRUE)
      set(own_namespace "eigen_of_${CMAKE_MATCH_2}")
      math(EXPR units "${units} + 1")
    endif()
  elseif(native AND line MATCHES " [WwVvu] " AND NOT line MATCHES "${own_namespace}|DW\\.ref\\.__gxx_personality_v0")
    message(FATAL_ERROR "a unit with native instructions defines a weak symbol: ${line}")
  endif()
endforeach()
if(units EQUAL 0)
  message(FATAL_ERROR "no unit with native instructions found in ${LIBRARY}")
endif()
