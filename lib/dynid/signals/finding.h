#pragma once

#include <span>
#include <string>

namespace dynid {

/// One result of the audit of a log.
struct Finding {
  /// Severity of a finding, in ascending order.
  enum class Severity {
    kNote,      ///< for information
    kRepaired,  ///< corrected automatically
    kWarning,   ///< the result is less accurate; the remedy says what to do
    kRefuse     ///< an identification would be meaningless
  };
  Severity severity = Severity::kNote;
  std::string code;     ///< stable identifier in kebab case: "velocity-lag"
  int joint = -1;       ///< index; -1: the whole log
  std::string message;  ///< what was found, with number, unit and joint name
  double value = 0.0;   ///< the number in the message
  std::string remedy;   ///< what the user can do; may be empty
};

std::string toText(Finding::Severity severity);
bool anyRefused(std::span<const Finding> findings);

}  // namespace dynid
