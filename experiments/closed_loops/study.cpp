/// The study of run.sh: mechanisms with loops or mimic joints, from structure to forward
/// simulation.

#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/agreement.h"
#include "dynid/formulations/closed_mechanism.h"
#include "dynid/robot/load_robot.h"

#include "identification/recovered.h"
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace dynid;

struct Mechanism {
  std::string name;
  std::shared_ptr<const Robot> robot;
};

void printStructure(const Mechanism& m) {
  int mimics = 0;
  for (const Body& body : m.robot->bodies)
    mimics += body.joint_name != m.robot->treeJoint(body.joint).name ? 1 : 0;
  const BaseParameters base = structuralBase(m.robot, inertialLayout(*m.robot), {std::nullopt});
  double worst = 0.0;
  int applied = 0;
  std::string name;
  for (const FormulationAgreement& row : compareFormulations(*m.robot)) {
    if (!row.applies) continue;
    ++applied;
    const double share = row.max_relative_disagreement / row.tolerance;
    if (!(share <= worst)) {
      worst = share;
      name = row.name;
    }
  }
  std::printf("| %-10s | %d | %d | %d | %d | %d | %d | %.0e | %d | %.0e of its tolerance (%s) |\n",
              m.name.c_str(),
              m.robot->numJoints(),
              static_cast<int>(m.robot->passive_joints.size()),
              mimics,
              static_cast<int>(m.robot->loops.size()),
              m.robot->numBodies(),
              base.rank,
              base.gap,
              applied,
              worst,
              name.c_str());
  std::fflush(stdout);
}

void printRecovery(const Mechanism& m, const std::filesystem::path& file) {
  Robot plain = *m.robot;
  for (Body& body : plain.bodies) body.bounds = {};  // a random truth does not know them
  for (Drive& drive : plain.drives) {  // friction known by kind, efforts instead of currents
    drive.automatic_friction = false;
    drive.friction = {FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kOffset};
    drive.position_effects.clear();
    drive.drive_gain.reset();
    drive.identify_gain = false;
  }
  const auto robot = std::make_shared<const Robot>(plain);
  const SimulationTruth truth = randomTruth(*robot, 1);
  for (const double noise : {0.0, 0.02}) {
    SimulationOptions simulation;
    simulation.effort_noise_relative = noise;
    const Recovery recovery = recover(robot, truth, simulation, file);
    std::printf("| %-10s | %g %% | %.1e | %.1e | %.1e | %s |\n",
                m.name.c_str(),
                100.0 * noise,
                recovery.norm_error,
                recovery.fit_error,
                recovery.consistent_error,
                recovery.usable ? "usable" : recovery.reason.c_str());
    std::fflush(stdout);
  }
}

double energyAt(const Robot& robot, const Eigen::VectorXd& pi, const MechanismMotion& motion) {
  const Eigen::Index n = robot.numJoints(), end = motion.time.size() - 1;
  const Energy e = energy(
      robot, pi, {}, motion.q.row(end).head(n).transpose(), motion.dq.row(end).head(n).transpose());
  return e.kinetic + e.potential;
}

void printSimulation(const Mechanism& m) {
  const Robot& robot = *m.robot;
  if (robot.loops.empty()) return;
  Eigen::VectorXd pi(Eigen::Index{10} * robot.numBodies());
  for (int k = 0; k < robot.numBodies(); ++k)
    pi.segment<10>(Eigen::Index{10} * k) = robot.bodies[k].prior.value();
  const Eigen::VectorXd start = robot.assembly.head(robot.numJoints()),
                        rate = Eigen::VectorXd::Constant(robot.numJoints(), 0.5);
  const Eigen::VectorXd hold = biasForces(robot, pi, start, Eigen::VectorXd::Zero(start.size()));
  // a soft spring and the start's gravity: swings, and has an energy
  const DriveEffort effort = [&](double, const Eigen::VectorXd& q, const Eigen::VectorXd&) {
    return Eigen::VectorXd(hold - 200.0 * (q - start));
  };
  const auto total = [&](const MechanismMotion& motion) {
    const Eigen::VectorXd moved =
        motion.q.row(motion.time.size() - 1).head(start.size()).transpose() - start;
    return energyAt(robot, pi, motion) - hold.dot(moved) + 100.0 * moved.squaredNorm();
  };
  MechanismSimulationOptions still;
  still.duration_s = 0.0;
  const double before =
      total(simulateMechanism(robot, pi, start, rate, effort, constrainedSolvers()[0], still));
  const double kinetic = 0.5 * rate.dot(massMatrix(robot, pi, start) * rate);
  Eigen::VectorXd first;
  for (const ConstrainedSolver& solver : constrainedSolvers()) {
    MechanismSimulationOptions options;
    options.duration_s = 5.0;
    options.step_s = 2e-3;
    const auto begin = std::chrono::steady_clock::now();
    const MechanismMotion held = simulateMechanism(robot, pi, start, rate, effort, solver, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    options.project = false;
    const MechanismMotion loose =
        simulateMechanism(robot, pi, start, rate, effort, solver, options);
    if (!held.solved || !loose.solved) {
      std::printf("| %s | %s | %s |\n",
                  m.name.c_str(),
                  solver.name.c_str(),
                  (held.solved ? loose : held).reason.c_str());
      continue;
    }
    const Eigen::VectorXd last = held.q.row(held.q.rows() - 1);
    if (first.size() == 0) first = last;
    std::printf("| %-10s | %-14s | %.0e | %.0e | %.0e | %.0e | %.0e | %.0f |\n",
                m.name.c_str(),
                solver.name.c_str(),
                loose.largest_gap,
                held.largest_step_gap,
                held.largest_gap,
                std::abs(total(held) - before) / kinetic,
                (last - first).cwiseAbs().maxCoeff(),
                1e6 * seconds.count() / static_cast<double>(held.time.size() - 1));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("dynid_closed_" + std::to_string(getpid()) + ".h5");
  std::vector<Mechanism> mechanisms;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    mechanisms.push_back({path.stem().string(), std::make_shared<const Robot>(loadRobot(path))});
  }
  std::printf(
      "| robot | driven | passive | mimic | loops | bodies | base parameters | gap | formulations "
      "| "
      "largest disagreement |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Mechanism& m : mechanisms) printStructure(m);
  std::printf(
      "\n| robot | noise | error of base parameters | fit | error of the consistent ones | model "
      "|\n"
      "|---|---|---|---|---|---|\n");
  for (const Mechanism& m : mechanisms) printRecovery(m, file);
  std::printf(
      "\n| robot | solver | gap after 5 s, not projected | opened by a step | left after it | "
      "energy "
      "drift / kinetic | from the first solver [rad] | us a step "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const Mechanism& m : mechanisms) printSimulation(m);
  std::filesystem::remove(file);
  return 0;
}
