#pragma once

#include "dynid/model/model.h"

#include "files.h"
#include "options.h"
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dynid::tool {

/// Files in other programs' formats; empty names are not written.
struct ExportFiles {
  std::string urdf, mjcf, sdf, c;

  bool any() const { return !urdf.empty() || !mjcf.empty() || !sdf.empty() || !c.empty(); }
  /// All files that would be written. @throws UsageError where the C file does not end in .c
  std::vector<std::string> outputs() const;
};

/// --urdf, --mjcf, --sdf, --c.
void declareExports(Options& options, ExportFiles& files);

/// What was written.
struct ExportReport {
  std::string output;  ///< the file (of C: the source)
  std::vector<std::string> dropped;
  nlohmann::ordered_json json;  ///< the same for programs
};

/// Makes all files, compares each with the model, and adds them to `outputs`, which the caller
/// commits.
/// @throws InputError where the model cannot become one of them; OutputError
std::vector<ExportReport> writeExports(const Model& model,
                                       const ExportFiles& files,
                                       Outputs& outputs);

}  // namespace dynid::tool
