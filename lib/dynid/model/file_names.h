#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Formats of new files that do not take every name.
enum class FileFormat { kMjcf, kSdf };

/// The model with names of links and joints that a file of this format may contain:
///
///     both   no link is called "world"
///     SDF    links, frames and joints have different names, also from that of the joint
///     ROOT_to_world
///            that fixes the root link; no name is "world" or __NAME__, or contains "::"
///
/// Links get "_link" and joints "_joint" at the end, "::" becomes "_", and as many "_" follow as
/// make the name unique.
/// @param changed  receives a sentence per changed name
Model withFileNames(const Model& model, FileFormat format, std::vector<std::string>& changed);

}  // namespace dynid
