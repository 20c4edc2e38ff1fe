#pragma once

#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"
#include "dynid/statistics/gather.h"

#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace dynid {

/// The arm of datasets/quickstart with viscous and Coulomb friction and offset, and a temporary
/// folder for its logs.
class SimulatedArm {
 public:
  explicit SimulatedArm(const std::string& test)
      : folder_(std::filesystem::temp_directory_path() /
                ("dynid_" + test + "_" + std::to_string(getpid()))) {
    Robot described =
        loadRobot(std::filesystem::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml");
    for (Drive& drive : described.drives) {
      drive.automatic_friction = false;
      drive.friction = {
          FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset};
    }
    robot = std::make_shared<const Robot>(std::move(described));
    truth = randomTruth(*robot, 3);
    std::filesystem::create_directories(folder_);
  }
  ~SimulatedArm() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  SimulatedArm(const SimulatedArm&) = delete;
  SimulatedArm& operator=(const SimulatedArm&) = delete;

  static SimulationOptions shortLog() {
    SimulationOptions simulation;
    simulation.motion.duration_s = 8.0;
    simulation.rate_hz = 100.0;
    return simulation;
  }

  /// A simulated log in the folder.
  std::filesystem::path log(const std::string& name, const SimulationOptions& simulation) const {
    simulate(*robot, truth, simulation, folder_ / name);
    return folder_ / name;
  }

  std::vector<ActuatorEffects> effects() const {
    std::vector<ActuatorEffects> effects;
    for (int a = 0; a < robot->numJoints(); ++a)
      effects.push_back(actuatorEffects(*robot, a, 1.0, false));
    return effects;
  }

  GatherOptions options(int threads = 1) const {
    GatherOptions options;
    options.pass.threads = threads;
    options.drive_gains = Eigen::VectorXd::Ones(robot->numJoints());
    return options;
  }

  std::shared_ptr<const Robot> robot;
  SimulationTruth truth;

 private:
  std::filesystem::path folder_;
};

/// Sum over the blocks of R^T R of a channel's moving rows.
inline Eigen::MatrixXd gramOf(const ChannelStatistics& channel) {
  const Eigen::Index size = std::ssize(channel.columns) + 1;
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(size, size);
  for (const TriangularFactor& factor : channel.moving)
    if (factor.rows() > 0.0) gram += factor.R().transpose() * factor.R();
  return gram;
}

}  // namespace dynid
