#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace dynid {

/// Makes angles continuous that were recorded modulo a full turn, block by block.
///
/// A step between consecutive finite samples counts as a wrap where both lie within one full turn
/// of zero and the step differs from a full turn by less than half a radian; from there on the
/// angle is shifted by that turn. Prismatic joints are left as they are.
class AngleUnwrapper {
 public:
  /// @param prismatic  [joints]; empty: all joints turn
  explicit AngleUnwrapper(std::vector<bool> prismatic = {}) : prismatic_(std::move(prismatic)) {}

  /// The next rows [rows x joints, rad], in place.
  void apply(Eigen::Ref<Eigen::MatrixXd> position);

  /// [joints] jumps by a turn so far.
  const std::vector<std::int64_t>& wraps() const { return wraps_; }
  /// One sentence for each joint that wrapped; empty where none did.
  std::vector<std::string> notes(const std::vector<std::string>& joints) const;

 private:
  std::vector<bool> prismatic_;
  Eigen::VectorXd last_;   // [joints] recorded values; NaN before the first one
  Eigen::VectorXd turns_;  // [joints] added so far
  std::vector<std::int64_t> wraps_;
};

}  // namespace dynid
