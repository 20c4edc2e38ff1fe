#include "dynid/model/xml_text.h"

#include "dynid/core/text.h"

namespace dynid {

std::string xmlNumber(double value) { return toText(value == 0.0 ? 0.0 : value, 17); }

std::string xmlNumbers(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + xmlNumber(value);
  return text;
}

std::string xmlEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace dynid
