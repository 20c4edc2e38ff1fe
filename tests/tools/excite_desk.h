#pragma once

#include <gtest/gtest.h>

#include "child_process.h"
#include "quickstart_files.h"
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace dynid {

inline std::vector<std::string> with(std::vector<std::string> arguments,
                                     const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// Options for short searches on a part of the arm: three joints, two harmonics.
inline std::vector<std::string> small(const std::string& output) {
  return {"excite",
          kArm,
          "--output",
          output,
          "--harmonics",
          "2",
          "--duration",
          "10",
          "--starts",
          "1",
          "--exclude-joint",
          "joint_4",
          "--exclude-joint",
          "joint_5",
          "--exclude-joint",
          "joint_6",
          "--noise",
          "0.5"};
}

// Writes a description with three joints of the quickstart arm and given friction terms.
inline void writeThreeJoints(const TemporaryDirectory& directory) {
  std::ofstream file(directory / "arm.toml");
  file << "urdf = \"" << DYNID_SOURCE_DIR << "/datasets/quickstart/arm.urdf\"\n"
       << "ignore = [\"joint_4\", \"joint_5\", \"joint_6\"]\n";
  for (int j = 1; j <= 3; ++j)
    file << "[joint.joint_" << j << "]\nfriction = [\"viscous\", \"coulomb\", \"offset\"]\n";
}

// Runs commands in a temporary directory.
struct Desk {
  const TemporaryDirectory& directory;

  Outcome tryTo(const std::string& line) const {
    RunOptions here;
    here.directory = std::filesystem::path(directory / "x").parent_path().string();
    return dynid(argumentsOf(line), here);
  }
  std::string run(const std::string& line) const {
    const Outcome outcome = tryTo(line);
    EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
    return outcome.out;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(directory / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// Two links of 0.4 and 0.3 m in the x-z plane, shoulder 0.5 m above the ground, radius 0.05 m.
inline void writePlanarArm(const TemporaryDirectory& directory, const std::string& surroundings) {
  std::ofstream(directory / "planar.urdf") << R"(<robot name="planar">
<link name="base"/><link name="upper"/><link name="fore"/><link name="tool"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
<origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" velocity="2" effort="0"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/>
<origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" velocity="3" effort="0"/>
</joint><joint name="flange" type="fixed"><parent link="fore"/><child link="tool"/>
<origin xyz="0.3 0 0"/></joint></robot>)";
  std::ofstream(directory / "planar.toml") << "urdf = \"planar.urdf\"\n" << surroundings;
}

inline constexpr const char* kTable =
    "[[obstacle.box]]\nname = \"table\"\ncenter = [0.5, 0.0, 0.9]\nsize = [0.3, 0.5, 0.2]\n";
inline constexpr const char* kPlanar =
    "dynid excite planar.toml --output t.h5 --duration 8 --harmonics 2 --starts 1 --noise 0.1 ";

}  // namespace dynid
