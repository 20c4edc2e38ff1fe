#pragma once

#include "dynid/identification/identify.h"

#include "model_exports.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// Files that `identify` writes; empty names are not written.
struct IdentifyOutputs {
  std::string model, report, statistics;
  ExportFiles exports;
};

/// Writes all files together, or none. A model that must not be used is written (it contains its
/// status and the reason) but not exported.
/// @returns why the model could not be exported, which is not known before it is identified; "": it
///     could, or no export was asked for
/// @throws OutputError if a file cannot be written
std::string writeOutputs(const Identification& result,
                         const IdentifyOutputs& outputs,
                         const IdentificationSettings& settings,
                         const Progress& progress);

/// The command line in a form that can be pasted into a shell.
std::string commandLine(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace dynid::tool
