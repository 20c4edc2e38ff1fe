include(CMakeFindDependencyMacro)
enable_language(C)  # FindHDF5 compiles a C program to find its settings
include(${CMAKE_CURRENT_LIST_DIR}/DynidDependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/dynidTargets.cmake)
