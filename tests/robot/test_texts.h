#pragma once

#include "dynid/core/errors.h"
#include "dynid/robot/load_robot.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

namespace dynid {

/// A temporary directory of one test, removed at its end.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "dynid-robot-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// The message of the InputError that `action` throws.
inline std::string inputError(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no InputError was thrown)";
}

inline std::string urdf(const std::string& content) {
  return "<robot name=\"r\">\n" + content + "</robot>\n";
}

inline std::string joint(const std::string& name,
                         const std::string& type,
                         const std::string& parent,
                         const std::string& child,
                         const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + more + "</joint>\n";
}

inline std::string link(const std::string& name, const std::string& more = "") {
  return "<link name=\"" + name + "\">" + more + "</link>\n";
}

/// Three revolute joints j1 j2 j3 in a row: base, a, b, c.
inline std::string threeJoints() {
  return urdf(link("base") + link("a") + link("b") + link("c") +
              joint("j1", "revolute", "base", "a", "<axis xyz=\"0 0 1\"/>") +
              joint("j2", "revolute", "a", "b", "<axis xyz=\"0 1 0\"/>") +
              joint("j3", "revolute", "b", "c", "<axis xyz=\"1 0 0\"/>"));
}

/// The message about an unusable URDF ("robot.urdf") or description ("robot.toml").
inline std::string urdfError(const std::string& text) {
  return inputError([&] { parseRobot("", text); });
}
inline std::string descriptionError(const std::string& text) {
  return inputError([&] { parseRobot(text, threeJoints()); });
}

}  // namespace dynid
