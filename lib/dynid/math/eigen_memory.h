#pragma once

#include <Eigen/Core>

/// @file Included by the public headers that name Eigen's types. The library and its users free
/// each other's matrices. Eigen 3.4 takes memory as malloc returns it where an alignment of 16
/// bytes is enough. In a unit with AVX instructions it needs 32 or 64, and keeps the address that
/// malloc returned in front of the matrix. lib/CMakeLists.txt exports the library's
/// EIGEN_MALLOC_ALREADY_ALIGNED, so that every unit of a program does the same; where that is 1,
/// Eigen's products in a unit with AVX instructions would crash on memory that is not aligned.
static_assert(
    !EIGEN_MALLOC_ALREADY_ALIGNED || EIGEN_DEFAULT_ALIGN_BYTES <= 16,
    "dynid was built without AVX instructions: compile the units that include its headers "
    "without -march=native, -mavx and the like, or build dynid from source with the same "
    "instructions (-DCMAKE_CXX_FLAGS=...)");
