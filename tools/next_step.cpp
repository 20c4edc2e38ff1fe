#include "next_step.h"

namespace dynid::tool {

std::string shellWord(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+-,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string excludeJointOptions(const std::vector<std::string>& joints) {
  std::string text;
  for (const std::string& joint : joints) text += " --exclude-joint " + shellWord(joint);
  return text;
}

std::string nextStep(const std::string& what) { return "next: " + what + "\n"; }

}  // namespace dynid::tool
