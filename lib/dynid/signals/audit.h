#pragma once

#include "dynid/signals/plan.h"

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// One thing the audit has to say about a log.
struct Finding {
  enum class Severity {
    kNote,      ///< worth knowing
    kRepaired,  ///< mended on the way
    kWarning,   ///< the result suffers; the remedy says what to do
    kRefuse     ///< an identification would be nonsense
  };
  Severity severity = Severity::kNote;
  std::string code;     ///< stable, kebab-case: "velocity-lag"
  int joint = -1;       ///< index; -1: the whole log
  std::string message;  ///< what, with the number and its unit; the joint by name
  double value = 0.0;   ///< that number
  std::string remedy;   ///< what to do; may be empty
};

std::string toText(Finding::Severity severity);
bool anyRefused(std::span<const Finding> findings);

/// What the audit knows besides the signals.
struct AuditContext {
  std::vector<std::string> joint_names;            ///< [n]; empty: "joint 1", ...
  std::vector<bool> prismatic;                     ///< [n]; empty: all turn
  Eigen::VectorXd position_lower, position_upper;  ///< [n] rad or m; empty or infinite: unknown
  /// Share of rows that are not finite or out of order beyond which the log is refused; (0, 1].
  double max_bad_fraction = 0.2;

  /// Throws std::invalid_argument naming the field that does not fit `joints`.
  void check(Eigen::Index joints) const;
};

/// Looks for what makes a fit worthless or worse, before any model is known. Codes:
///   rows      not-finite, backward-time, duplicate-time, repeated-rows, gaps, too-short
///   clock     no-clock, clock-quantised, clock-jittered, clock-irregular
///   motion    no-motion, joint-still, small-motion, position-degrees, position-jump,
///             position-limit, noisy-position, motion-interrupted
///   velocity  velocity-lag, velocity-sign, velocity-degrees, velocity-scale, velocity-mismatch,
///             swapped-joints
///   acceleration  acceleration-mismatch
///   effort    no-effort, effort-zero, effort-constant, effort-clipped, effort-coarse, effort-unit
/// Swapped or reversed efforts need a model and are found elsewhere.
/// \param looks the windows that planSignals saw, and its plan
/// \returns findings, worst first, then in the order above and by joint
std::vector<Finding> auditSignals(std::span<const RawSignals> looks,
                                  const SignalPlan& plan,
                                  const AuditContext& context);

/// Plans and audits; where no plan can be made the findings say why (and refuse).
/// \throws UsageError on wrong options, std::invalid_argument on shapes
std::vector<Finding> auditLog(std::span<const RawSignals> looks,
                              const SignalOptions& options,
                              const AuditContext& context);

}  // namespace dynid
