/// The study of run.sh: what comes back of a simulated truth without noise, level by level.

#include "dynid/estimation/least_squares.h"
#include "dynid/robot/load_robot.h"

#include "equations/exact_rows.h"
#include "identification/recovered.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace {

using namespace dynid;

void printRow(const std::string& robot,
              const std::string& level,
              double norm,
              double worst,
              const std::string& remark) {
  std::printf("| %-10s | %-46s | %8.1e | %8.1e | %s |\n",
              robot.c_str(),
              level.c_str(),
              norm,
              worst,
              remark.c_str());
  std::fflush(stdout);
}

/// Friction that is known by kind: what the ladder would choose is another question.
Robot withPlainFriction(Robot robot) {
  for (Drive& drive : robot.drives) {
    drive.automatic_friction = false;
    drive.friction = {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset};
    drive.drive_gain.reset();
  }
  return robot;
}

void fromExactRows(const std::string& name,
                   const std::shared_ptr<const Robot>& robot,
                   const SimulationTruth& truth) {
  const ExactRows exact = exactRows(robot, truth, {}, 100.0);
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(exact.samples(), robot->numJoints());
  const Eigen::VectorXd beta =
      weightedLeastSquares(compress(exact, none, 40), exact.base.independent).beta;
  const double floor = 1e-6 * exact.truth.cwiseAbs().maxCoeff();
  const double worst =
      ((beta - exact.truth).array().abs() / exact.truth.array().abs().max(floor)).maxCoeff();
  printRow(name,
           "exact rows, compressed least squares",
           (beta - exact.truth).norm() / exact.truth.norm(),
           worst,
           "");
}

struct Recording {
  std::string name;
  double rate_hz = 1000.0;
  double cutoff_hz = std::nan("");
  double encoder_step = 0.0;
};

void fromLog(const std::string& name,
             const std::shared_ptr<const Robot>& robot,
             const SimulationTruth& truth,
             const Recording& recording,
             const std::filesystem::path& file) {
  SimulationOptions simulation;
  simulation.rate_hz = recording.rate_hz;
  simulation.encoder_step = recording.encoder_step;
  IdentificationSettings settings;
  settings.cutoff_hz = recording.cutoff_hz;
  const Recovery recovery = recover(robot, truth, simulation, file, settings);
  char remark[160];
  std::snprintf(remark,
                sizeof remark,
                "consistent fit %.1e, worst is %s%s%s",
                recovery.consistent_error,
                recovery.worst.c_str(),
                recovery.usable ? "" : ", NOT usable: ",
                recovery.reason.c_str());
  printRow(name, recording.name, recovery.norm_error, recovery.worst_error, remark);
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("dynid_recovery_" + std::to_string(getpid()) + ".h5");
  std::printf(
      "| robot | level | error of all base parameters | of the worst one | remark |\n"
      "|---|---|---|---|---|\n");
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    const std::string name = path.stem().string();
    const Robot described = loadRobot(path);
    const auto plain = std::make_shared<const Robot>(withPlainFriction(described));
    const SimulationTruth truth = randomTruth(*plain, 1);
    fromExactRows(name, plain, truth);
    fromLog(name, plain, truth, {"log, 1 kHz", 1000.0}, file);
    fromLog(name, plain, truth, {"log, 200 Hz", 200.0}, file);
    fromLog(name, plain, truth, {"log, 200 Hz, low-pass asked for (12 Hz)", 200.0, 12.0}, file);
    fromLog(
        name, plain, truth, {"log, 200 Hz, encoder of 19 bits", 200.0, std::nan(""), 1.2e-5}, file);
    SimulationTruth ramping = truth;
    ramping.ramp_speed = Eigen::VectorXd::Constant(plain->numJoints(), 0.02);
    fromLog(name,
            plain,
            ramping,
            {"the same, friction ramps below 0.02 rad/s", 200.0, std::nan(""), 1.2e-5},
            file);
    const auto automatic = std::make_shared<const Robot>(described);
    fromLog(name,
            automatic,
            randomTruth(*automatic, 1),
            {"log, 200 Hz, friction chosen from the log", 200.0},
            file);
  }
  std::filesystem::remove(file);
  return 0;
}
