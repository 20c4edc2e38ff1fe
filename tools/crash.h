#pragma once

namespace dynid::tool {

/// Installs handlers that end the process with a message and without unfinished files when a
/// library crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) or calls exit(), and when an
/// exception cannot be caught.
///
/// HDF5 1.10 does all of these when it gets no memory. A crash is reported as a lack of memory
/// (status kInternal) if `errno` of the crashed thread is ENOMEM, which a refused allocation sets;
/// otherwise as a defect, and the signal takes its default action (status 128 + signal, core file).
///
/// Signals that already have a handler (sanitizers) keep it.
void reportCrashes();

/// To be called with the result of main(), which it returns: a later call of exit() is regular.
int atRegularEnd(int status);

}  // namespace dynid::tool
