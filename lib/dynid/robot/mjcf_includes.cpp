#include "dynid/robot/mjcf_includes.h"

#include "dynid/core/text.h"
#include "dynid/robot/xml_offsets.h"

namespace dynid {
namespace {

class Merger {
 public:
  explicit Merger(const MjcfIncludes& includes) : includes_(includes) {}

  /// The bytes [begin, end) of a file that lie in `element`, with its includes.
  std::string merged(const std::string& text,
                     const std::string& file,
                     const XmlSpan& element,
                     size_t begin,
                     size_t end) const {
    std::string out;
    size_t done = begin;
    append(text, file, element, done, out);
    return out.append(text, done, end - done);
  }

 private:
  void append(const std::string& text,
              const std::string& file,
              const XmlSpan& element,
              size_t& done,
              std::string& out) const {
    for (const XmlSpan& child : element.children) {
      if (child.name != "include") {
        append(text, file, child, done, out);
        continue;
      }
      out.append(text, done, child.begin - done);
      const XmlAttribute* name = child.attribute("file");
      out += content(includes_.at({file, name == nullptr ? "" : name->value}));
      done = child.end;
    }
  }

  std::string content(const MjcfIncluded& included) const {
    const XmlSpan root = locateElements(included.text);
    return std::string(
        trim(merged(included.text, included.file, root, root.content_begin, root.content_end)));
  }

  const MjcfIncludes& includes_;
};

}  // namespace

std::string mergedMjcf(const std::string& text,
                       const std::string& file,
                       const MjcfIncludes& includes) {
  return Merger(includes).merged(text, file, locateElements(text), 0, text.size());
}

}  // namespace dynid
