#pragma once

#include "dynid/model/model.h"

#include "files.h"
#include "options.h"
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dynid::tool {

/// Files in formats of other programs; empty names are not written.
struct ExportFiles {
  std::string urdf, mjcf, sdf, c;
  bool armature = false;  ///< whether URDF and SDF contain the drive inertia

  bool any() const { return !urdf.empty() || !mjcf.empty() || !sdf.empty() || !c.empty(); }
  /// All files that would be written. @throws UsageError if the name of the C file does not end in
  /// .c
  std::vector<std::string> outputs() const;
};

/// Declares the options --urdf, --mjcf, --sdf, --armature and --c.
void declareExports(Options& options, ExportFiles& files);

/// Report on one exported file.
struct ExportReport {
  std::string output;  ///< file name (for C: of the source file)
  std::vector<std::string> dropped;
  nlohmann::ordered_json json;  ///< the same as JSON
};

/// Creates all files, compares each with the model, and adds them to `outputs`, which the caller
/// commits.
/// @throws InputError if the model cannot be represented in a format; OutputError
std::vector<ExportReport> writeExports(const Model& model,
                                       const ExportFiles& files,
                                       Outputs& outputs);

}  // namespace dynid::tool
