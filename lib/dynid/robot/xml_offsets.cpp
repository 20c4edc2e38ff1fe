#include "dynid/robot/xml_offsets.h"

#include "dynid/core/errors.h"

#include <charconv>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr int kMaxDepth = 100;  // the limit of the reader of robot descriptions

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string utf8(unsigned long code) {
  std::string bytes;
  const auto put = [&](unsigned long byte) { bytes += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
  return bytes;
}

/// The text of a reference; the reference itself if it is unknown.
std::string resolved(std::string_view reference) {
  if (reference == "&lt;") return "<";
  if (reference == "&gt;") return ">";
  if (reference == "&amp;") return "&";
  if (reference == "&quot;") return "\"";
  if (reference == "&apos;") return "'";
  if (reference.size() > 3 && reference[1] == '#') {
    const bool hexadecimal = reference[2] == 'x';
    const std::string_view digits =
        reference.substr(hexadecimal ? 3 : 2, reference.size() - (hexadecimal ? 4 : 3));
    unsigned long code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    if (error == std::errc() && end == digits.data() + digits.size() && code > 0 && code < 0x110000)
      return utf8(code);
  }
  return std::string(reference);
}

std::string withoutReferences(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size();) {
    const size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      plain += text[i++];
    } else {
      plain += resolved(text.substr(i, end + 1 - i));
      i = end + 1;
    }
  }
  return plain;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  XmlSpan root() {
    skipToTag();
    if (at_ >= text_.size()) fail("no element is there");
    return element(0);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("XML at byte {}: {}", at_, what));
  }
  bool ahead(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  void skipPast(std::string_view word) {
    const size_t found = text_.find(word, at_);
    if (found == std::string_view::npos) fail("\"" + std::string(word) + "\" is missing");
    at_ = found + word.size();
  }
  bool atEndTag() const {
    size_t next = at_ + 1;
    while (next < text_.size() && isBlank(text_[next])) ++next;
    return next < text_.size() && text_[next] == '/';
  }
  void skipBlanks() {
    while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
  }

  /// Skips to the next start or end tag.
  void skipToTag() {
    while (at_ < text_.size()) {
      at_ = std::min(text_.find('<', at_), text_.size());
      if (ahead("<!--")) {
        skipPast("-->");
      } else if (ahead("<![CDATA[")) {
        skipPast("]]>");
      } else if (ahead("<?")) {
        skipPast("?>");
      } else if (ahead("<!")) {
        skipPast(">");
      } else {
        return;
      }
    }
  }

  std::string name() {
    const size_t begin = at_;
    while (at_ < text_.size() && !isBlank(text_[at_]) && text_[at_] != '>' && text_[at_] != '/' &&
           text_[at_] != '=')
      ++at_;
    if (at_ == begin) fail("a name is expected");
    return std::string(text_.substr(begin, at_ - begin));
  }

  XmlAttribute attribute() {
    XmlAttribute attribute;
    attribute.name = name();
    skipBlanks();
    if (!ahead("=")) fail("\"=\" is expected after attribute " + attribute.name);
    ++at_;
    skipBlanks();
    if (!ahead("\"") && !ahead("'"))
      fail("the value of attribute " + attribute.name + " is not quoted");
    const char quote = text_[at_++];
    attribute.value_begin = at_;
    skipPast(std::string_view(&quote, 1));
    attribute.value_end = at_ - 1;
    attribute.value = withoutReferences(
        text_.substr(attribute.value_begin, attribute.value_end - attribute.value_begin));
    return attribute;
  }

  XmlSpan element(int depth) {
    if (depth > kMaxDepth) fail("elements are nested deeper than " + std::to_string(kMaxDepth));
    XmlSpan span;
    span.begin = at_++;
    skipBlanks();  // as in "< limit", which the reader of robot descriptions accepts
    span.name = name();
    span.name_end = at_;
    for (skipBlanks(); !ahead(">") && !ahead("/>"); skipBlanks()) {
      if (at_ >= text_.size()) fail("<" + span.name + "> is not closed");
      span.attributes.push_back(attribute());
    }
    span.self_closing = ahead("/>");
    at_ += span.self_closing ? 2 : 1;
    span.content_begin = span.content_end = span.end = at_;
    if (!span.self_closing) content(span, depth);
    return span;
  }

  void content(XmlSpan& span, int depth) {
    for (skipToTag(); !atEndTag(); skipToTag()) {
      if (at_ >= text_.size()) fail("</" + span.name + "> is missing");
      span.children.push_back(element(depth + 1));
    }
    span.content_end = at_;
    at_ = text_.find('/', at_) + 1;
    if (name() != span.name) fail("</" + span.name + "> is expected here");
    skipBlanks();
    skipPast(">");
    span.end = at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

const XmlSpan* XmlSpan::child(std::string_view tag) const {
  for (const XmlSpan& span : children)
    if (span.name == tag) return &span;
  return nullptr;
}

const XmlAttribute* XmlSpan::attribute(std::string_view key) const {
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name == key) return &attribute;
  return nullptr;
}

XmlSpan locateElements(std::string_view text) { return Scanner(text).root(); }

}  // namespace dynid
