#pragma once

#include "dynid/diagnosis/mistake.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dynid {

struct HypothesisResults;

/// What the diagnosis needs to know of a log besides its rows.
struct DiagnosedLog {
  std::vector<RawSignals> windows;  ///< contiguous parts of the log, columns in the robot's order
  double duration_s = 0.0;          ///< of the whole log
  double start_s = 0.0;             ///< first usable time stamp: findings count times from there
  bool currents = false;            ///< the efforts are motor currents [A]
};

/// What is wrong with a log, and what was tried to find out.
struct Diagnosis {
  std::vector<Finding> findings;  ///< worst first; codes "diagnosis-..." and "raw-..."
  /// Mistakes that are named in a refusal and can be undone (isReversible), the likeliest first;
  /// those after the first explain the log nearly as well. Empty: none.
  std::vector<Mistake> correctable;
  /// Results of all hypotheses that were tested; null: the raw rows were refused or are too few.
  std::shared_ptr<const HypothesisResults> results;
  std::vector<std::string> left_out;  ///< what was not examined, one sentence each
  Eigen::Index rows = 0;              ///< number of rows that were fitted
  double duration_s = 0.0;            ///< of the log; 0: it was not diagnosed
  int turning_points = 0;             ///< reversals of all joints together
  double cutoff_hz = 0.0;             ///< [Hz] of the low-pass for the fitted rows
  Eigen::VectorXd covered;  ///< [channels] largest minus smallest position of the fitted rows
};

/// Certainty from which a mistake is a warning, and from which it refuses the log. The right
/// hypothesis had 2.7 to 30 on the damaged logs of eight robots, the largest wrong one 2.0 on
/// untouched logs of thirteen (experiments/mistakes).
inline constexpr double kWarnCertainty = 2.2;
inline constexpr double kRefuseCertainty = 3.0;
/// [s] Efforts that are later are a warning.
inline constexpr double kLateEffort = 0.02;
/// Mistakes whose certainties differ by less are named together.
inline constexpr double kTiedCertainty = 0.5;

/// Tests a log against the hypothesis that nothing is wrong with it and against single mistakes
/// (Mistake), and names the one that explains the efforts far better.
/// @param threads  the result does not depend on it
/// @throws InputError where the loops of the robot do not close in the logged motion, and no single
/// mistake of the positions explains that (explainOpenLoops)
Diagnosis diagnose(const std::shared_ptr<const Robot>& robot, DiagnosedLog log, int threads = 1);

}  // namespace dynid
