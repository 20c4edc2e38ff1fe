#include "dynid/report/verdict_cell.h"

#include "dynid/model/column_place.h"
#include "dynid/report/markup.h"

namespace dynid {

std::string verdictCell(const std::string& parameter, const ParameterVerdict& verdict) {
  const bool seen = verdict.identifiability != Identifiability::kNone;
  const std::string letter = !seen                                                ? "–"
                             : verdict.identifiability == Identifiability::kAlone ? "A"
                                                                                  : "C";
  const std::string excitation = seen ? toString(verdict.excitation) : "none";
  std::string title =
      parameter + ": " +
      (seen ? std::string(toString(verdict.identifiability)) + ", excited " + excitation
            : "not identifiable from joint torque");
  if (!verdict.seen_in.empty()) title += " (in " + verdict.seen_in + ")";
  return textElement("span", {{"class", "cell " + excitation}, {"title", title}}, letter);
}

}  // namespace dynid
