#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// Deviations of the reader from the file, grouped by kind, so that each kind becomes one line: "a
/// zero mass with moments of inertia is not used: links a, b, c".
class Remarks {
 public:
  /// @param kind  the sentence before the colon, with the noun for the names after it ("... is not
  /// used: links")
  void add(const std::string& kind, const std::string& name);
  /// One line per kind, in the order of their first appearance. Long lists are shortened.
  std::vector<std::string> lines() const;

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds_;
};

}  // namespace dynid
