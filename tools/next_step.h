#pragma once

#include <string>

namespace dynid::tool {

/// A word of a command line as it can be pasted into a shell: quoted where it has to be.
std::string shellWord(const std::string& word);

/// The last line of a command's text: "next: dynid ..." - the command that usually follows, or in
/// words what is to be done.
std::string nextStep(const std::string& what);

}  // namespace dynid::tool
