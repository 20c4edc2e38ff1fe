#include "dynid/robot/mjcf_element.h"

#include "dynid/core/printable.h"
#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/xml_place.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <tinyxml2.h>

namespace dynid {
namespace {

constexpr size_t kMaxBytes = size_t{16} << 20;
constexpr size_t kMaxElements = 100'000;
constexpr size_t kMaxAttributes = 100;  // of one element
constexpr size_t kMaxFiles = 200;
constexpr size_t kMaxIncludeDepth = 16;

class Reader {
 public:
  explicit Reader(const MjcfLoader& load) : load_(load) {}

  MjcfElement read(const std::string& text, const std::string& file) {
    bytes_ += text.size();
    if (bytes_ > kMaxBytes)
      throw InputError(
          fmt::format("{}: the model and its includes hold more than {} MiB of text; a robot "
                      "description is smaller",
                      file,
                      kMaxBytes >> 20));
    tinyxml2::XMLDocument xml;
    parseXml(text, file, "an MJCF", xml);
    const tinyxml2::XMLElement* root = xml.RootElement();
    if (root == nullptr) failAt(file, 1, "has no element; an MJCF with a <mujoco> is expected");
    const std::string name = root->Name();
    if (name != "mujoco" && !(name == "mujocoinclude" && !open_.empty()))
      failAt(file,
             root->GetLineNum(),
             fmt::format("starts with <{}>; an MJCF with a <mujoco> is expected", name));
    open_.push_back(normal(file));
    ++files_;
    MjcfElement result = convert(*root, std::make_shared<const std::string>(file));
    open_.pop_back();
    return result;
  }

 private:
  MjcfElement convert(const tinyxml2::XMLElement& xml,
                      const std::shared_ptr<const std::string>& file) {
    MjcfElement element;
    element.name = xml.Name();
    element.file = file;
    element.line = xml.GetLineNum();
    element.ordinal = static_cast<int>(++elements_);
    if (elements_ > kMaxElements)
      element.fail(fmt::format("the model has more than {} elements", kMaxElements));
    for (const auto* a = xml.FirstAttribute(); a != nullptr; a = a->Next())
      element.attributes.emplace(a->Name(), a->Value());
    if (element.attributes.size() > kMaxAttributes)
      element.fail(fmt::format("<{}> has more than {} attributes", element.name, kMaxAttributes));
    for (const auto* e = xml.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      MjcfElement child = convert(*e, file);
      if (child.name == "include")
        include(child, element.children);
      else
        element.children.push_back(std::move(child));
    }
    return element;
  }

  static std::string normal(const std::string& file) {
    return std::filesystem::path(file).lexically_normal().string();
  }

  void include(const MjcfElement& place, std::vector<MjcfElement>& into) {
    const std::string name = place.requiredName("file");
    if (open_.size() >= kMaxIncludeDepth)
      place.fail(fmt::format("includes are nested more than {} deep", kMaxIncludeDepth));
    if (files_ >= kMaxFiles) place.fail(fmt::format("more than {} files are included", kMaxFiles));
    const MjcfIncluded included = load_(place, name);
    if (std::find(open_.begin(), open_.end(), normal(included.file)) != open_.end())
      place.fail("includes \"" + name + "\", which includes this file; remove one of the two");
    MjcfElement root = read(included.text, included.file);
    std::move(root.children.begin(), root.children.end(), std::back_inserter(into));
  }

  const MjcfLoader& load_;
  std::vector<std::string> open_;  // files being read, outermost first
  size_t bytes_ = 0, files_ = 0, elements_ = 0;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void write(const MjcfElement& element, size_t depth, std::string& out) {
  const std::string indent(2 * std::min<size_t>(depth, 20), ' ');
  out += indent + "<" + element.name;
  for (const auto& [name, value] : element.attributes)
    out += fmt::format(" {}=\"{}\"", name, escaped(value));
  if (element.children.empty()) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  for (const MjcfElement& child : element.children) write(child, depth + 1, out);
  out += fmt::format("{}</{}>\n", indent, element.name);
}

}  // namespace

void MjcfElement::fail(const std::string& message) const { failAt(*file, line, message); }

std::optional<std::string> MjcfElement::text(const char* attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute,
                                                        size_t least,
                                                        size_t most) const {
  const std::optional<std::string> value = text(attribute);
  if (!value) return std::nullopt;
  std::vector<double> result;
  for (const std::string& word : splitWords(*value)) {
    const std::optional<double> parsed = parseFinite(word);
    if (!parsed)
      fail(fmt::format("<{}> {}: \"{}\" is not a finite number; write it like 0.25 or 2.5e-1",
                       name,
                       attribute,
                       word));
    result.push_back(*parsed);
  }
  if (result.size() < least || result.size() > most)
    fail(fmt::format("<{}> {}=\"{}\" has {} numbers; {} are expected",
                     name,
                     attribute,
                     *value,
                     result.size(),
                     least == most ? std::to_string(least) : fmt::format("{} to {}", least, most)));
  return result;
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  const std::optional<std::vector<double>> value = numbers(attribute, 1, 1);
  return value ? value->front() : otherwise;
}

Eigen::Vector3d MjcfElement::vector(const char* attribute, const Eigen::Vector3d& otherwise) const {
  const std::optional<std::vector<double>> value = numbers(attribute, 3, 3);
  return value ? Eigen::Vector3d(value->data()) : otherwise;
}

std::optional<bool> MjcfElement::flag(const char* attribute) const {
  const std::optional<std::string> value = text(attribute);
  if (!value || *value == "auto") return std::nullopt;
  if (*value != "true" && *value != "false")
    fail(fmt::format("<{}> {}=\"{}\": true or false is expected", name, attribute, *value));
  return *value == "true";
}

std::string MjcfElement::requiredName(const char* attribute) const {
  const std::optional<std::string> value = text(attribute);
  if (!value || trim(*value).empty())
    fail(fmt::format("<{}> has no {}; write {}=\"...\"", name, attribute, attribute));
  if (!isUtf8(*value))
    fail(fmt::format("<{}> {} is not UTF-8; save the file as UTF-8", name, attribute));
  return *value;
}

void MjcfElement::requireKnown(const std::vector<std::string>& known) const {
  for (const auto& [attribute, value] : attributes)
    if (std::find(known.begin(), known.end(), attribute) == known.end())
      fail(fmt::format(
          "<{}> has the unknown attribute {}{}", name, attribute, didYouMean(attribute, known)));
}

MjcfElement parseMjcfElements(const std::string& text,
                              const std::string& file,
                              const MjcfLoader& load) {
  return Reader(load).read(text, file);
}

std::string mjcfText(const MjcfElement& root) {
  std::string out;
  write(root, 0, out);
  return out;
}

std::string rootElementName(const std::string& text) {
  size_t at = 0;
  const auto skip_past = [&](const char* end) {
    const size_t found = text.find(end, at);
    at = found == std::string::npos ? text.size() : found + std::string_view(end).size();
  };
  while ((at = text.find('<', at)) != std::string::npos) {
    if (text.compare(at, 4, "<!--") == 0)
      skip_past("-->");
    else if (text.compare(at, 2, "<?") == 0)
      skip_past("?>");
    else if (text.compare(at, 2, "<!") == 0)
      skip_past(">");
    else {
      const size_t begin = text.find_first_not_of(" \t\r\n", at + 1);
      if (begin == std::string::npos) return "";
      return text.substr(begin, text.find_first_of(" \t\r\n/>", begin) - begin);
    }
  }
  return "";
}

}  // namespace dynid
