#pragma once

namespace dynid::tool {

/// What the program tells the shell; scripts rely on these numbers.
enum ExitStatus {
  kDone = 0,
  kAnswerIsNo = 1,        ///< ran, but: verdict failed, not converged, model not usable
  kUsage = 2,             ///< the command line or the configuration file is wrong
  kInputUnusable = 3,     ///< an input file cannot be used
  kOutputUnwritable = 4,  ///< an output cannot be written
  kInternal = 5,          ///< a defect of the program
  kSignalBase = 128       ///< + number of the signal that interrupted: 130, 143
};

}  // namespace dynid::tool
