#include "tools/edited_log.h"

#include "dynid/core/files.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "tools/quickstart_files.h"

namespace dynid {
namespace {}  // namespace

void writeEditedLog(const std::string& path,
                    const std::function<void(RawBlock&, LogHeader&)>& edit) {
  const Robot robot = loadRobot(kQuickstart + "arm.toml");
  SimulationOptions options;
  options.rate_hz = 100.0;
  options.motion.duration_s = 12.0;
  options.motion.fundamental_hz = 0.2;
  options.effort_noise_relative = 0.02;
  options.block_rows = 1 << 20;
  LogHeader header = simulatedHeader(robot, options);
  RawBlock samples;
  simulate(robot, randomTruth(robot, 7), options, [&](const RawBlock& block) { samples = block; });
  if (edit) edit(samples, header);
  LogWriter writer(path, header);
  writer.append(samples);
  writer.finish();
}

void removeFromFile(const std::string& path, const std::string& name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const bool removed = H5Aexists(file, name.c_str()) > 0
                           ? H5Adelete(file, name.c_str()) >= 0
                           : H5Ldelete(file, name.c_str(), H5P_DEFAULT) >= 0;
  H5Fclose(file);
  ASSERT_TRUE(removed) << name;
}

void writeEditedUrdf(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = readTextFile(kQuickstart + "arm.urdf");
  size_t count = 0;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    ++count;
  }
  ASSERT_GT(count, 0U) << "the arm's URDF has no " << from;
  writeTextFile(path, text);
}

}  // namespace dynid
