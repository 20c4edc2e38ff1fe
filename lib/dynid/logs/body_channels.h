#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// What an inertial and a wrench sensor on one link recorded, link axes, about the link's origin.
struct BodySamples {
  Eigen::MatrixXd angular_velocity;      ///< [rows x 3] rad/s
  Eigen::MatrixXd angular_acceleration;  ///< [rows x 3] rad/s^2; 0 x 0 where it was not recorded
  Eigen::MatrixXd linear_acceleration;   ///< [rows x 3] m/s^2, proper: at rest -g
  Eigen::MatrixXd wrench;                ///< [rows x 6] N, N m: on the link and all that it carries
};

/// Reads the groups `bodies/<link>` of a log (INTERFACES, "HDF5 log").
class BodyReader {
 public:
  /// @param links  to look for; those without a group, or with a wrench sensor or an inertial
  /// sensor
  ///               alone, are left out: a body is identified from both
  /// @throws InputError "path:/bodies/link/...: ..." for a group that lacks a channel, and for a
  /// shape, a number of rows or a unit that does not fit
  BodyReader(const std::filesystem::path& path,
             const std::vector<std::string>& links,
             std::int64_t rows);
  ~BodyReader();
  BodyReader(BodyReader&&) noexcept;
  BodyReader& operator=(BodyReader&&) noexcept;

  /// Those that have sensors, in the order asked for.
  const std::vector<std::string>& links() const;
  /// How many groups there are, asked for or not, without those of one sensor alone.
  std::int64_t groups() const;
  /// Rows [first, first + count) of the link's channels.
  /// @throws InputError when they cannot be read
  BodySamples read(size_t link, std::int64_t first, std::int64_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
