# Third-party packages; included by the build and by the installed dynidConfig.cmake.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Ceres 2.1 REQUIRED NO_MODULE)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Math

if(NOT TARGET hdf5::hdf5)
  add_library(hdf5::hdf5 INTERFACE IMPORTED)
  target_link_libraries(hdf5::hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  target_include_directories(hdf5::hdf5 INTERFACE ${HDF5_C_INCLUDE_DIRS})
endif()

find_package(PkgConfig REQUIRED)
foreach(package tinyxml2 libdeflate ipopt)
  if(NOT TARGET ${package}::${package})
    pkg_check_modules(${package} REQUIRED IMPORTED_TARGET ${package})
    add_library(${package}::${package} INTERFACE IMPORTED)
    target_link_libraries(${package}::${package} INTERFACE PkgConfig::${package})
  endif()
endforeach()
