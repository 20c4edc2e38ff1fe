#pragma once

namespace dynid::tool {

/// The exit status of the program, on which scripts rely.
enum ExitStatus {
  kDone = 0,
  /// Completed with a negative result: verdict failed, not converged, model not usable
  kAnswerIsNo = 1,
  kUsage = 2,             ///< the command line or the configuration file is wrong
  kInputUnusable = 3,     ///< an input file cannot be used
  kOutputUnwritable = 4,  ///< an output cannot be written
  kInternal = 5,          ///< a defect of the program
  kSignalBase = 128       ///< plus the number of the interrupting signal: 129, 130, 143
};

}  // namespace dynid::tool
