include(CMakeFindDependencyMacro)
include(${CMAKE_CURRENT_LIST_DIR}/DynidDependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/dynidTargets.cmake)
