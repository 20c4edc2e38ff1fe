/// The study of run.sh: bias and spread of each form of the equations over logs with other motions
/// and other noise of one simulated robot.

#include "dynid/prediction/predict.h"
#include "dynid/robot/load_robot.h"

#include "identification/recovered.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace dynid;
namespace fs = std::filesystem;

struct Noise {
  const char* name;
  double encoder_step, effort;
};

/// What one form made of all logs.
struct Outcome {
  std::vector<Eigen::VectorXd> errors;  ///< of the base parameters, one a log
  double inside = 0.0, intervals = 0.0;
  double torque = 0.0;  ///< relative error on a motion that none has seen, without noise
};

Robot withPlainFriction(Robot robot) {
  for (Drive& drive : robot.drives) {
    drive.automatic_friction = false;
    drive.friction = {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset};
    drive.drive_gain.reset();
  }
  return robot;
}

double torqueError(const Model& model, const fs::path& log) {
  double squared = 0.0, energy = 0.0;
  predictLog(model, {log}, {}, [&](const PredictionBlock& block) {
    squared += (block.measured - block.predicted).squaredNorm();
    energy += block.measured.squaredNorm();
  });
  return std::sqrt(squared / energy);
}

void add(const Model& model, const SimulationTruth& truth, const fs::path& heldout, Outcome& to) {
  int unknown = 0;
  const Eigen::VectorXd expected =
      structuralBase(model.robot, model.layout, {std::nullopt}).combination() *
      truthInModel(model, truth, unknown);
  Eigen::VectorXd error(expected.size());
  for (Eigen::Index k = 0; k < error.size(); ++k) {
    const BaseParameterEstimate& estimate = model.base_parameters[k];
    error(k) = estimate.value - expected(k);
    to.inside += estimate.lower_95 <= expected(k) && expected(k) <= estimate.upper_95 ? 1.0 : 0.0;
    to.intervals += 1.0;
  }
  to.errors.push_back(error / expected.norm());
  to.torque += torqueError(model, heldout);
}

void print(const Noise& noise, const char* kind, const Outcome& outcome) {
  const auto logs = static_cast<double>(outcome.errors.size());
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(outcome.errors.front().size());
  for (const Eigen::VectorXd& error : outcome.errors) mean += error / logs;
  double variance = 0.0;
  for (const Eigen::VectorXd& error : outcome.errors)
    variance += (error - mean).squaredNorm() / (logs - 1.0);
  // the mean of some logs spreads too: what it would be without any bias is taken off
  const double bias = std::sqrt(std::max(0.0, mean.squaredNorm() - variance / logs));
  std::printf("| %s | %s | %.2f %% | %.2f %% | %.0f %% | %.2f %% |\n",
              noise.name,
              kind,
              100.0 * bias,
              100.0 * std::sqrt(variance),
              100.0 * outcome.inside / outcome.intervals,
              100.0 * outcome.torque / logs);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: equations_study ROBOT LOGS\n");
    return 2;
  }
  const auto robot = std::make_shared<const Robot>(withPlainFriction(loadRobot(argv[1])));
  const int logs = std::max(2, std::atoi(argv[2]));
  SimulationTruth truth = randomTruth(*robot, 1);
  truth.ramp_speed = Eigen::VectorXd::Constant(robot->numJoints(), 0.02);
  const fs::path folder =
      fs::temp_directory_path() / ("dynid_equations_study_" + std::to_string(getpid()));
  fs::create_directory(folder);
  SimulationOptions simulation;
  simulation.seed = 1000;
  simulate(*robot, truth, simulation, folder / "heldout.h5");
  const std::string first = robot->joints.front().name;
  const std::string routh = "routh:" + first;
  std::printf(
      "| noise | equations | bias | spread | truth inside 95 %% | torque, unseen motion |\n"
      "|---|---|---|---|---|---|\n");
  for (const Noise& noise : {Noise{"low", 1.2e-5, 0.01}, Noise{"high", 7.67e-4, 0.1}}) {
    simulation.encoder_step = noise.encoder_step;
    simulation.effort_noise_relative = noise.effort;
    simulation.effort_noise_correlation_s = 0.01;
    for (int log = 0; log < logs; ++log) {
      simulation.seed = static_cast<std::uint64_t>(log) + 1;
      simulate(*robot, truth, simulation, folder / ("log" + std::to_string(log) + ".h5"));
    }
    for (const char* kind :
         {"inverse-dynamics", "momentum", routh.c_str(), "variational", "power", "energy"}) {
      Outcome outcome;
      IdentificationSettings settings;
      settings.equations = kind;
      settings.threads = 2;
      for (int log = 0; log < logs; ++log)
        add(identify(robot, {{folder / ("log" + std::to_string(log) + ".h5"), ""}}, settings).model,
            truth,
            folder / "heldout.h5",
            outcome);
      print(noise, kind, outcome);
    }
  }
  fs::remove_all(folder);
  return 0;
}
