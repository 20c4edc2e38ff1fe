#pragma once

#include "dynid/signals/raw_signals.h"

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace dynid {

/// Reads a dataset of a log through HDF5's C interface: the tests of this module do not depend on
/// the module that reads logs.
inline Eigen::MatrixXd readDataset(hid_t file, const std::string& name) {
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) return {};
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  hsize_t extent[2] = {1, 1};
  H5Sget_simple_extent_dims(space, extent, nullptr);
  std::vector<double> values(extent[0] * extent[1]);
  const herr_t status =
      H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(dataset);
  if (status < 0) throw std::runtime_error("cannot read " + name);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<RowMajor>(
      values.data(), static_cast<Eigen::Index>(extent[0]), static_cast<Eigen::Index>(extent[1]));
}

inline RawSignals readRealLog(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  RawSignals log;
  log.time = readDataset(file, "time");
  log.position = readDataset(file, "position");
  log.velocity = readDataset(file, "velocity");
  log.acceleration = readDataset(file, "acceleration");
  log.effort = readDataset(file, "effort");
  if (log.effort.size() == 0) log.effort = readDataset(file, "current");
  H5Fclose(file);
  return log;
}

}  // namespace dynid
