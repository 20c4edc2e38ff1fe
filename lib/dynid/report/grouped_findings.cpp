#include "dynid/report/grouped_findings.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace dynid {
namespace {

/// A word with a number in it: "(182", "0.41", "12,".
struct Number {
  std::string before, digits, after;
  double value = 0.0;
};

std::optional<Number> numberIn(const std::string& word) {
  const size_t begin = word.find_first_of("0123456789");
  if (begin == std::string::npos) return std::nullopt;
  const bool negative = begin > 0 && word[begin - 1] == '-';
  const size_t first = negative ? begin - 1 : begin;
  if (std::any_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(first), [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) != 0;
      }))
    return std::nullopt;  // a name such as joint_1
  size_t end = word.find_last_of("0123456789") + 1;
  const auto value = parseFinite(word.substr(first, end - first));
  if (!value) return std::nullopt;
  return Number{word.substr(0, first), word.substr(first, end - first), word.substr(end), *value};
}

/// The messages of several joints with the same words.
struct Group {
  Finding first;
  std::string joints;             ///< "arm_1, arm_2"
  std::vector<int> indices;       ///< of the joints
  std::vector<std::string> text;  ///< words behind the joint's name, of the first finding
  std::vector<std::optional<Number>> lowest, highest;  ///< per word
};

/// Joint and words of a message "joint: text"; empty if it has another form.
std::optional<std::pair<std::string, std::vector<std::string>>> parts(const Finding& finding) {
  const size_t colon = finding.message.find(": ");
  if (finding.joint < 0 || colon == std::string::npos) return std::nullopt;
  return std::make_pair(finding.message.substr(0, colon),
                        splitWords(finding.message.substr(colon + 2)));
}

bool sameNumberForm(const std::optional<Number>& a, const std::optional<Number>& b) {
  return a && b && a->before == b->before && a->after == b->after;
}

bool saysTheSame(const Group& group, const Finding& finding, const std::vector<std::string>& text) {
  if (group.first.severity != finding.severity || group.first.code != finding.code ||
      group.first.remedy != finding.remedy || group.text.size() != text.size())
    return false;
  if (std::find(group.indices.begin(), group.indices.end(), finding.joint) != group.indices.end())
    return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != group.text[i] && !sameNumberForm(group.lowest[i], numberIn(text[i])))
      return false;
  return true;
}

void add(const std::string& joint, int index, const std::vector<std::string>& text, Group& group) {
  group.joints += (group.joints.empty() ? "" : ", ") + joint;
  group.indices.push_back(index);
  for (size_t i = 0; i < text.size(); ++i) {
    const std::optional<Number> number = numberIn(text[i]);
    if (!number || !group.lowest[i]) continue;
    if (number->value < group.lowest[i]->value) group.lowest[i] = number;
    if (number->value > group.highest[i]->value) group.highest[i] = number;
  }
}

Finding merged(const Group& group) {
  Finding finding = group.first;
  if (group.indices.size() < 2) return finding;
  finding.joint = -1;
  finding.message = group.joints + ":";
  for (size_t i = 0; i < group.text.size(); ++i) {
    const std::optional<Number>&low = group.lowest[i], &high = group.highest[i];
    finding.message += " ";
    if (!low || low->digits == high->digits)
      finding.message += group.text[i];
    else
      finding.message += low->before + low->digits + " to " + high->digits + low->after;
  }
  return finding;
}

}  // namespace

std::vector<Finding> groupedFindings(const std::vector<Finding>& findings) {
  std::vector<Group> groups;
  for (const Finding& finding : findings) {
    const auto found = parts(finding);
    const std::string joint = found ? found->first : "";
    const std::vector<std::string> text = found ? found->second : std::vector<std::string>();
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
      return found && !other.text.empty() && saysTheSame(other, finding, text);
    });
    if (group != groups.end()) {
      add(joint, finding.joint, text, *group);
      continue;
    }
    Group group_of_one{finding, "", {}, text, {}, {}};
    for (const std::string& word : text) group_of_one.lowest.push_back(numberIn(word));
    group_of_one.highest = group_of_one.lowest;
    add(joint, finding.joint, text, group_of_one);
    groups.push_back(std::move(group_of_one));
  }
  std::vector<Finding> result;
  for (const Group& group : groups) result.push_back(merged(group));
  return result;
}

std::vector<std::string> groupedNotes(const ValidationResult& result) {
  std::vector<Finding> findings;
  for (const std::string& note : result.notes) {
    Finding finding;
    finding.message = note;
    for (size_t j = 0; j < result.per_joint.size(); ++j)
      if (note.starts_with(result.per_joint[j].joint + ": ")) finding.joint = static_cast<int>(j);
    findings.push_back(std::move(finding));
  }
  std::vector<std::string> grouped;
  for (const Finding& finding : groupedFindings(findings)) grouped.push_back(finding.message);
  return grouped;
}

}  // namespace dynid
