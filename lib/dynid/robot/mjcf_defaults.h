#pragma once

#include "dynid/robot/mjcf_element.h"

#include <map>
#include <string>

namespace dynid {

/// The `<default>` classes of an MJCF; each nested class includes the attributes it inherits.
class MjcfDefaults {
 public:
  /// @throws InputError for a nested class without a name, or two of one name
  explicit MjcfDefaults(const MjcfElement& root);

  /// The element completed by the attributes of its class: the class that it names, else
  /// `childclass`, else the top-level class. Attributes of the element have priority. Children are
  /// left out.
  /// @param kind  the name of the element in the class (all actuators share "actuator")
  /// @throws InputError for a class that does not exist
  MjcfElement complete(const MjcfElement& element,
                       const std::string& kind,
                       const std::string& childclass) const;
  /// @throws InputError for a class that does not exist
  void requireClass(const MjcfElement& element, const std::string& name) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  struct Class {
    std::string parent;                       // empty for the top-level class
    std::map<std::string, Attributes> kinds;  // attributes given in this class itself
  };
  void read(const MjcfElement& element, const std::string& name);

  std::map<std::string, Class> classes_;
};

/// "actuator" for `<motor>`, `<position>` ...; the element's name for everything else.
std::string defaultKind(const std::string& element);

}  // namespace dynid
