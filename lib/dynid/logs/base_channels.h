#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace dynid {

/// What a log says of the base, as recorded; 0 x 0 where it does not.
struct BaseSamples {
  Eigen::MatrixXd pose;    ///< [rows x 7] x y z [m], qx qy qz qw: base in world
  Eigen::MatrixXd twist;   ///< [rows x 6] (v, w) m/s, rad/s
  Eigen::MatrixXd wrench;  ///< [rows x 6] (f, n) N, N m, exerted by the ground on the base
};

/// Reads the group `base` of a log (INTERFACES, "HDF5 log").
class BaseReader {
 public:
  /// @throws InputError "path:/base/...: ..." for a shape, a number of rows or a unit that does not
  /// fit, and for a twist or wrench without the frame it is given in
  BaseReader(const std::filesystem::path& path, std::int64_t rows);
  ~BaseReader();
  BaseReader(BaseReader&&) noexcept;
  BaseReader& operator=(BaseReader&&) noexcept;

  bool hasPose() const;
  bool hasTwist() const;
  bool hasWrench() const;
  /// "body", "space" or "hybrid"; "" where the channel is missing.
  const std::string& twistFrame() const;
  const std::string& wrenchFrame() const;

  /// Rows [first, first + count).
  /// @throws InputError when they cannot be read, or hold a quaternion that is none
  BaseSamples read(std::int64_t first, std::int64_t count) const;

  /// See LogReader::close.
  void close() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
