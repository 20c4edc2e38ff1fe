#include "dynid/model/xml_edits.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <stdexcept>

namespace dynid {

XmlEdits::XmlEdits(std::string text) : text_(std::move(text)), root_(locateElements(text_)) {
  const size_t newline = text_.find('\n');
  newline_ =
      newline != std::string::npos && newline > 0 && text_[newline - 1] == '\r' ? "\r\n" : "\n";
  step_ = stepOf(root_);
  if (step_.empty()) step_ = "  ";
}

void XmlEdits::setAttribute(const XmlSpan& element,
                            const std::string& name,
                            const std::string& value) {
  if (const XmlAttribute* attribute = element.attribute(name)) {
    edits_.push_back({attribute->value_begin, attribute->value_end, value});
    return;
  }
  const size_t place =
      element.attributes.empty() ? element.name_end : element.attributes.back().value_end + 1;
  edits_.push_back({place, place, " " + name + "=\"" + value + "\""});
}

void XmlEdits::removeAttribute(const XmlSpan& element, const std::string& name) {
  const XmlAttribute* attribute = element.attribute(name);
  if (attribute == nullptr)
    throw std::invalid_argument(fmt::format("<{}> has no attribute {}", element.name, name));
  size_t begin = text_.rfind(name, attribute->value_begin - 1);
  while (std::isspace(static_cast<unsigned char>(text_[begin - 1])) != 0) --begin;
  edits_.push_back({begin, attribute->value_end + 1, ""});
}

void XmlEdits::replace(const XmlSpan& element, const std::vector<std::string>& lines) {
  const std::string inner = stepOf(element);
  edits_.push_back({element.begin,
                    element.end,
                    block(lines,
                          startsLine(element.begin),
                          indent(element.begin),
                          inner.empty() ? step_ : inner)});
}

void XmlEdits::insertFirst(const XmlSpan& parent, const std::vector<std::string>& lines) {
  const bool blank = text_.find_first_not_of(" \t\r\n", parent.content_begin) >= parent.content_end;
  const bool has_lines =
      text_.substr(parent.content_begin, parent.content_end - parent.content_begin).find('\n') !=
      std::string::npos;
  const bool on_separate_lines =
      startsLine(parent.begin) && (parent.self_closing || blank || has_lines);
  const std::string outer = indent(parent.begin);
  const std::string parent_step = stepOf(parent);
  const std::string step = parent_step.empty() ? step_ : parent_step;
  std::string inserted = block(lines, on_separate_lines, outer + step, step);
  if (on_separate_lines) inserted = newline_ + outer + step + inserted;
  if (parent.self_closing) {
    const std::string close =
        (on_separate_lines ? newline_ + outer : "") + "</" + parent.name + ">";
    edits_.push_back({parent.end - 2, parent.end, ">" + inserted + close});
    return;
  }
  if (on_separate_lines && blank && !has_lines) inserted += newline_ + outer;
  edits_.push_back({parent.content_begin, parent.content_begin, inserted});
}

void XmlEdits::remove(const XmlSpan& element) {
  size_t begin = element.begin;
  const size_t next = text_.find_first_not_of(" \t\r", element.end);
  if (startsLine(begin) && next != std::string::npos && text_[next] == '\n') {
    begin = lineBegin(begin) - 1;  // including the line end before it
    if (begin > 0 && text_[begin - 1] == '\r') --begin;
  }
  edits_.push_back({begin, element.end, ""});
}

std::string XmlEdits::result() const {
  std::vector<Edit> ordered = edits_;
  std::stable_sort(ordered.begin(), ordered.end(), [](const Edit& a, const Edit& b) {
    return a.begin < b.begin;
  });
  std::string out;
  size_t done = 0;
  for (const Edit& edit : ordered) {
    out.append(text_, done, edit.begin - done);
    out += edit.text;
    done = edit.end;
  }
  return out.append(text_, done);
}

/// Whether only blanks precede the place on its line, and another line precedes it.
bool XmlEdits::startsLine(size_t place) const {
  const size_t begin = lineBegin(place);
  return begin > 0 && text_.find_first_not_of(" \t", begin) >= place;
}

std::string XmlEdits::indent(size_t place) const {
  const size_t begin = lineBegin(place);
  const size_t end = std::min(text_.find_first_not_of(" \t", begin), place);
  return text_.substr(begin, end - begin);
}

size_t XmlEdits::lineBegin(size_t place) const {
  const size_t newline = place == 0 ? std::string::npos : text_.rfind('\n', place - 1);
  return newline == std::string::npos ? 0 : newline + 1;
}

/// The indentation of one level of nesting, from the first child of `parent` that starts a line.
std::string XmlEdits::stepOf(const XmlSpan& parent) const {
  for (const XmlSpan& child : parent.children) {
    if (!startsLine(child.begin)) continue;
    const std::string outer = indent(parent.begin), inner = indent(child.begin);
    if (inner.size() > outer.size() && inner.compare(0, outer.size(), outer) == 0)
      return inner.substr(outer.size());
  }
  return "";
}

/// The lines without the first indentation, or joined to one line.
std::string XmlEdits::block(const std::vector<std::string>& lines,
                            bool on_separate_lines,
                            const std::string& indent,
                            const std::string& step) const {
  std::string out = lines.front();
  for (size_t i = 1; i < lines.size(); ++i) {
    if (on_separate_lines) out += newline_ + indent + (i + 1 < lines.size() ? step : "");
    out += lines[i];
  }
  return out;
}

}  // namespace dynid
