#pragma once

#include "dynid/robot/mjcf_element.h"

#include <map>
#include <string>
#include <utility>

namespace dynid {

/// Included files, by the file that includes them and the name it writes.
using MjcfIncludes = std::map<std::pair<std::string, std::string>, MjcfIncluded>;

/// One MJCF text with the content of the included files in place of `<include>`. Every other byte
/// stays as it is: comments, blanks, order of attributes.
/// @param text  MJCF that parseMjcfElements has accepted, with the same includes
/// @throws InputError where the text is not XML; std::out_of_range for a file that is not there
std::string mergedMjcf(const std::string& text,
                       const std::string& file,
                       const MjcfIncludes& includes);

}  // namespace dynid
