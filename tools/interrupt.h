#pragma once

namespace dynid::tool {

/// Installs the handlers of SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP. The first
/// signal asks the work to stop at its next block (`throwIfInterrupted`). A second signal, or two
/// seconds without a stop, removes unfinished files and ends the process with 128 + signal number.
/// SIGPIPE is ignored, because a reader may close standard output early.
void handleSignals();

/// To be called after the first signal: removes the limit of two seconds. A second signal still
/// ends the process immediately.
void waitForSecondSignal();

/// @throws Interrupted if a signal was received
void throwIfInterrupted();

}  // namespace dynid::tool
