// links: statistics hdf5::hdf5
// sources: tests/fuzz/hdf5_mutator.cpp
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000 -max_len=200000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/robot/load_robot.h"
#include "dynid/statistics/statistics_file.h"
#include "dynid/statistics/statistics_pool.h"

#include "fuzz/hdf5_mutator.h"
#include "fuzz/input.h"
#include <memory>
#include <vector>

namespace {

// The robot of corpus/statistics/two_joints.h5.
constexpr const char* kUrdf = R"(<robot name="r"><link name="base"/>
<link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<link name="b"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="50" velocity="3"/></joint>
<joint name="j2" type="revolute"><origin xyz="0.3 0 0"/><parent link="a"/><child link="b"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="3"/></joint></robot>)";
constexpr const char* kDescription = R"(urdf = "robot.urdf"
[joint.j2]
position_effects = [{ type = "spring" }, { type = "fourier", harmonics = 1 }]
)";

const dynid::fuzz::Hdf5Vocabulary kVocabulary{
    {{"columns/numbers", {4, 4}}, {"joint_names", {2}, {"j1", "j2"}}},
    {"block_s", "currents", "filter_order", "gravity", "format", "version"},
    {"a", "b", "j1", "j2", "", "dynid-statistics"},
    "columns/numbers"};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned int seed) {
  return dynid::fuzz::mutateHdf5(data, size, max_size, seed, kVocabulary);
}

/// Reads the file alone, as `inspect` does, and for a robot as far as the pools of `identify`.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto robot =
      std::make_shared<const dynid::Robot>(dynid::parseRobot(kDescription, kUrdf));
  const std::filesystem::path file = dynid::fuzz::asFile(data, size, "statistics.h5");
  dynid::fuzz::readOrRefuse([&] { dynid::readStatistics(file); });
  return dynid::fuzz::readOrRefuse([&] {
    dynid::GatheredStatistics recording = dynid::readRecording(file, *robot);
    std::vector<int> first, count;
    int blocks = 0;
    for (const double duration : recording.stretch_durations) {
      first.push_back(blocks);
      count.push_back(dynid::blocksOf(duration, recording.block_s));
      blocks += count.back();
    }
    const double block_s = recording.block_s;
    dynid::pooled(
        robot, {{file, std::move(recording), std::move(first), std::move(count)}}, block_s);
  });
}
