#pragma once

#include "dynid/core/progress.h"

#include <string>

namespace dynid::tool {

/// Everything below shows control characters of names and texts from files as \u001b and the like:
/// a file must not command the terminal.

/// Writes a result to standard output, at once. A reader that has closed the pipe is no error.
/// @throws OutputError if it cannot be written (disk full).
void printResult(const std::string& text);

/// A remark to standard error: "dynid command: text".
void printNote(const std::string& command, const std::string& text);

/// A line to standard error as it is. Never throws.
void printError(const std::string& line) noexcept;

/// Listens to long work: stops it when the user interrupts, and after one second shows a line
/// "stage 42 %, 3 min 20 s left" where standard error is a terminal (always the stages, one a line,
/// if `verbose`).
Progress progressLine(const std::string& command, bool quiet, bool verbose);

}  // namespace dynid::tool
