#pragma once

#include "dynid/logs/log.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Writes the predictions of a validation: `time` [N], `joint_names`, `effort_measured` and
/// `effort_predicted` [N, n] (`current_...` for currents), so that users can compute their own
/// scores. The file appears only after `finish()`.
class PredictionWriter {
 public:
  /// @param prismatic one per joint (unit N instead of N m); empty: all revolute
  /// @throws OutputError if the file cannot be written; std::invalid_argument for EffortKind::kNone
  ///     or wrong sizes
  PredictionWriter(const std::filesystem::path& path,
                   const std::vector<std::string>& joint_names,
                   EffortKind kind,
                   const std::vector<bool>& prismatic = {});
  ~PredictionWriter();
  PredictionWriter(PredictionWriter&&) noexcept;
  PredictionWriter& operator=(PredictionWriter&&) noexcept;

  /// Appends [rows], [rows, n], [rows, n].
  /// @throws std::invalid_argument for wrong shapes; OutputError if the disk is full
  void append(const Eigen::Ref<const Eigen::VectorXd>& time,
              const Eigen::Ref<const Eigen::MatrixXd>& measured,
              const Eigen::Ref<const Eigen::MatrixXd>& predicted);
  /// Completes and renames the file. @throws OutputError; the destination is then unchanged
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
