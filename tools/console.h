#pragma once

#include "dynid/core/progress.h"

#include <string>

namespace dynid::tool {

/// All functions below print control characters in names and texts from files as escapes (\\u001b),
/// so that a file cannot control the terminal. Names of settings in messages are replaced by names
/// of options (withOptionNames).

/// Writes a result to standard output immediately. It is not an error if the reader has closed the
/// pipe.
/// @throws OutputError if it cannot be written (disk full)
void printResult(const std::string& text);

/// Writes a note to standard error: "dynid command: text".
void printNote(const std::string& command, const std::string& text);

/// Writes a line to standard error without a prefix. Does not throw.
void printError(const std::string& line) noexcept;

/// The text followed by blanks up to `width`, at least one: a column of a table.
std::string padded(std::string text, size_t width);

/// Progress callback for long computations. It stops the computation if the user interrupts. After
/// one second it shows a line "stage 42 %, 3 min 20 s left" if standard error is a terminal. With
/// `verbose` it prints every stage on its own line.
Progress progressLine(const std::string& command, bool quiet, bool verbose);

}  // namespace dynid::tool
