#pragma once

#include "dynid/signals/plan.h"

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// One thing the audit has to say about a log.
struct Finding {
  enum class Severity {
    note,      ///< worth knowing
    repaired,  ///< mended on the way
    warning,   ///< the result suffers; the remedy says what to do
    refuse     ///< an identification would be nonsense
  };
  Severity severity = Severity::note;
  std::string code;     ///< stable, kebab-case: "velocity-lag"
  int joint = -1;       ///< index, -1: the whole log
  std::string message;  ///< what, with the number and its unit; the joint by name
  double value = 0.0;   ///< that number
  std::string remedy;   ///< what to do; may be empty for a note
};

std::string toText(Finding::Severity severity);
bool anyRefused(std::span<const Finding> findings);

/// What the audit knows besides the signals.
struct AuditContext {
  std::vector<std::string> joint_names;  ///< [n]; empty: "joint 1", ...
  std::vector<bool> prismatic;           ///< [n]; empty: all turn
  Eigen::VectorXd position_lower,
      position_upper;             ///< [n] rad or m, infinite or empty where unknown
  double max_bad_fraction = 0.2;  ///< of NaN or Inf rows; range (0, 1]; more is refused
};

/// Looks for what makes a fit worthless or worse: units, signs, swapped or dead joints, lag,
/// saturation, quantisation, held rows, clock, gaps, not-finite rows, limits, too little motion.
/// Findings in order of severity, worst first. \param looks the windows that planSignals saw;
/// `plan` may come from it
std::vector<Finding> auditSignals(std::span<const RawSignals> looks,
                                  const SignalPlan& plan,
                                  const AuditContext& context);

/// Conveniently: plan and audit; a log on which no plan can be made gets the findings that say why.
std::vector<Finding> auditLog(std::span<const RawSignals> looks,
                              const SignalOptions& options,
                              const AuditContext& context);

}  // namespace dynid
