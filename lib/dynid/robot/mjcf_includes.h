#pragma once

#include "dynid/robot/mjcf_element.h"

#include <map>
#include <string>
#include <utility>

namespace dynid {

/// Included files. Key: the including file and the name written in its `<include>`.
using MjcfIncludes = std::map<std::pair<std::string, std::string>, MjcfIncluded>;

/// The MJCF text with every `<include>` replaced by the content of the file. All other bytes stay
/// unchanged: comments, blanks, order of attributes.
/// @param text  MJCF that parseMjcfElements has accepted with the same includes
/// @throws InputError if the text is not XML; std::out_of_range for a file that is not in
/// `includes`
std::string mergedMjcf(const std::string& text,
                       const std::string& file,
                       const MjcfIncludes& includes);

}  // namespace dynid
