#pragma once

namespace dynid::tool {

/// Takes SIGINT and SIGTERM: the first one asks the work to stop at its next block
/// (`throwIfInterrupted`), a second one, or two seconds without a stop, removes unfinished files
/// and ends the process with 128 + signal. SIGPIPE is ignored: a reader that closes our standard
/// output early has seen enough.
void handleSignals();

/// After the first signal: gives the work all the time it needs to finish what it has. A second
/// signal still ends the process at once.
void waitForSecondSignal();

/// @throws Interrupted if a signal has come.
void throwIfInterrupted();

}  // namespace dynid::tool
