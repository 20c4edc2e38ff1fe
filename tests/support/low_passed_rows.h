#pragma once

#include "dynid/signals/filter.h"

#include <Eigen/Core>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>

namespace dynid {

/// Low-passes a dataset [rows x columns] in an HDF5 file (second order, zero phase).
inline void lowpassRows(const std::filesystem::path& path,
                        const std::string& dataset,
                        double cutoff_hz,
                        double rate_hz) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  ASSERT_GE(data, 0) << dataset;
  const hid_t space = H5Dget_space(data);
  hsize_t shape[2] = {0, 0};
  H5Sget_simple_extent_dims(space, shape, nullptr);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor rows(static_cast<Eigen::Index>(shape[0]), static_cast<Eigen::Index>(shape[1]));
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), 0);
  Eigen::MatrixXd columns = rows;
  filterZeroPhase(designLowpass(2, cutoff_hz, rate_hz), columns);
  rows = columns;
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

}  // namespace dynid
