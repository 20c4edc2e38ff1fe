#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// Replaces rows [first, end) of a dataset [rows x columns] in an HDF5 file by NaN.
inline void loseRows(const std::filesystem::path& path,
                     const std::string& dataset,
                     hsize_t first,
                     hsize_t end) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  ASSERT_GE(data, 0) << dataset;
  const hid_t space = H5Dget_space(data);
  hsize_t shape[2] = {0, 0};
  H5Sget_simple_extent_dims(space, shape, nullptr);
  const hsize_t begin[2] = {first, 0}, count[2] = {end - first, shape[1]};
  const hid_t rows = H5Screate_simple(2, count, nullptr);
  EXPECT_GE(H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, nullptr, count, nullptr), 0);
  const std::vector<double> nothing(count[0] * count[1], std::nan(""));
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, rows, space, H5P_DEFAULT, nothing.data()), 0);
  H5Sclose(rows);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

}  // namespace dynid
