#pragma once

#include "dynid/signals/filter.h"

#include <Eigen/Core>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <limits>
#include <string>

namespace dynid {

/// Passes a dataset [rows x columns] in an HDF5 file through `change(Eigen::MatrixXd&)`.
template <typename Change>
void changeRows(const std::filesystem::path& path,
                const std::string& dataset,
                const Change& change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  ASSERT_GE(data, 0) << dataset;
  const hid_t space = H5Dget_space(data);
  hsize_t shape[2] = {0, 1};  // of a vector: one column
  H5Sget_simple_extent_dims(space, shape, nullptr);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor stored(static_cast<Eigen::Index>(shape[0]), static_cast<Eigen::Index>(shape[1]));
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()), 0);
  Eigen::MatrixXd rows = stored;
  change(rows);
  stored = rows;
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()), 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

/// Replaces rows [first, end) of a dataset [rows x columns] by NaN.
inline void loseRows(const std::filesystem::path& path,
                     const std::string& dataset,
                     hsize_t first,
                     hsize_t end) {
  changeRows(path, dataset, [=](Eigen::MatrixXd& rows) {
    rows.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(end - first))
        .setConstant(std::numeric_limits<double>::quiet_NaN());
  });
}

/// Low-passes a dataset [rows x columns] (second order, zero phase).
inline void lowpassRows(const std::filesystem::path& path,
                        const std::string& dataset,
                        double cutoff_hz,
                        double rate_hz) {
  changeRows(path, dataset, [=](Eigen::MatrixXd& rows) {
    filterZeroPhase(designLowpass(2, cutoff_hz, rate_hz), rows);
  });
}

}  // namespace dynid
