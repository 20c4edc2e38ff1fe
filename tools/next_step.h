#pragma once

#include <string>
#include <vector>

namespace dynid::tool {

/// A word of a command line as it can be pasted into a shell: quoted where it has to be.
std::string shellWord(const std::string& word);

/// " --exclude-joint NAME" for each of these joints, as it can be pasted into a shell.
std::string excludeJointOptions(const std::vector<std::string>& joints);

/// The last line of a command's text: "next: " and the command that usually follows, or a sentence
/// that says what to do.
std::string nextStep(const std::string& what);

}  // namespace dynid::tool
