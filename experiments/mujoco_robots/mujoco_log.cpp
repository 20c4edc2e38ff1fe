// A log of a robot that is simulated by a physics engine that is not ours:
//
//   mujoco_log MODEL.xml LOG.h5 SEED SPEED
//
// The joints of the MJCF follow sums of six sines under PD control, with dry and viscous friction,
// encoders of 1e-4 rad and efforts with 2 % noise; 30 s at 500 Hz. Meshes, contacts, actuators and
// joint limits of the file are not simulated, so that no mesh files are needed.
#include "dynid/logs/log_writer.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <mujoco/mujoco.h>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tinyxml2.h>
#include <unistd.h>
#include <vector>

namespace dynid::mujoco {
namespace {

using Eigen::Index;
using std::numbers::pi;

constexpr double kStep = 0.0005;        // [s] of the integration
constexpr int kStepsPerRow = 4;         // 500 Hz
constexpr int kRows = 15000;            // 30 s
constexpr int kSettlingRows = 1000;     // not logged
constexpr double kBandwidth = 60.0;     // [rad/s] of the PD control
constexpr double kEncoderStep = 1e-4;   // [rad or m]
constexpr double kEffortNoise = 0.02;   // of the rms effort
constexpr double kBaseFrequency = 0.1;  // [Hz] of the slowest sine at speed 1
constexpr int kSines = 6;
constexpr double kLargestAngle = 2.5;       // [rad or m] of joints with wider or no limits
constexpr std::uint64_t kFrictionSeed = 7;  // the same friction in every log of a robot

/// Elements that the simulation does not need, and that refer to files or to a newer format.
bool isLeftOut(std::string_view name) {
  for (const std::string_view left_out : {"asset",
                                          "contact",
                                          "sensor",
                                          "tendon",
                                          "equality",
                                          "keyframe",
                                          "actuator",
                                          "statistic",
                                          "visual",
                                          "geom",
                                          "mesh",
                                          "material",
                                          "position",
                                          "motor",
                                          "general",
                                          "velocity"})
    if (name == left_out) return true;
  return false;
}

void strip(tinyxml2::XMLElement& element) {
  element.DeleteAttribute("integrator");
  for (tinyxml2::XMLElement* child = element.FirstChildElement(); child != nullptr;) {
    tinyxml2::XMLElement* next = child->NextSiblingElement();
    if (isLeftOut(child->Name()))
      element.DeleteChild(child);
    else
      strip(*child);
    child = next;
  }
}

using ModelPointer = std::unique_ptr<mjModel, void (*)(mjModel*)>;
using DataPointer = std::unique_ptr<mjData, void (*)(mjData*)>;

ModelPointer loadStripped(const std::string& path) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS)
    throw std::runtime_error(path + ": " + document.ErrorStr());
  strip(*document.RootElement());
  const std::string stripped =
      path.substr(path.find_last_of('/') + 1) + "." + std::to_string(::getpid()) + ".stripped.xml";
  const std::string place = "/tmp/" + stripped;
  document.SaveFile(place.c_str());
  char error[1000] = "";
  mjModel* model = mj_loadXML(place.c_str(), nullptr, error, sizeof error);
  ::unlink(place.c_str());
  if (model == nullptr) throw std::runtime_error(path + ": " + error);
  if (model->nv != model->njnt || model->nq != model->nv)
    throw std::runtime_error(path + ": has free or ball joints; expected hinges and slides only");
  return {model, &mj_deleteModel};
}

/// Sums of sines about the middle of the joint's range.
struct Reference {
  double middle = 0.0, frequency = 0.0;
  std::vector<double> size, phase;

  double position(double t) const {
    double q = middle;
    for (size_t k = 0; k < size.size(); ++k)
      q += size[k] * std::sin(frequency * static_cast<double>(k + 1) * t + phase[k]);
    return q;
  }
  double velocity(double t) const {
    double dq = 0.0;
    for (size_t k = 0; k < size.size(); ++k) {
      const double w = frequency * static_cast<double>(k + 1);
      dq += size[k] * w * std::cos(w * t + phase[k]);
    }
    return dq;
  }
};

std::vector<Reference> randomMotion(const mjModel& model, std::uint64_t seed, double speed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<Reference> motion(model.nv);
  for (size_t j = 0; j < motion.size(); ++j) {
    const bool limited = model.jnt_limited[j] != 0;
    const double lower = limited ? std::max(model.jnt_range[2 * j], -kLargestAngle) : -2.0;
    const double upper = limited ? std::min(model.jnt_range[2 * j + 1], kLargestAngle) : 2.0;
    Reference& reference = motion[j];
    reference.middle = 0.5 * (lower + upper);
    reference.frequency = 2.0 * pi * kBaseFrequency * speed;
    double sum = 0.0;
    for (int k = 1; k <= kSines; ++k) {
      reference.size.push_back((0.5 + uniform(random)) / k);
      reference.phase.push_back(2.0 * pi * uniform(random));
      sum += reference.size.back();
    }
    for (double& size : reference.size) size *= 0.4 * (upper - lower) / sum;
  }
  return motion;
}

/// Dry and viscous friction in proportion to the inertia about the joint.
void addFriction(mjModel& model, const std::vector<double>& inertia) {
  std::mt19937_64 random(kFrictionSeed);
  std::uniform_real_distribution<double> uniform(0.3, 1.3);
  for (size_t j = 0; j < inertia.size(); ++j) {
    model.dof_frictionloss[j] = 2.0 * uniform(random) * inertia[j];
    model.dof_damping[j] = uniform(random) * inertia[j];
    // The dry friction takes its sign from the velocity half this time constant later.
    model.dof_solref[mjNREF * j] = 0.001;
    model.dof_solref[mjNREF * j + 1] = 1.0;
  }
}

/// Diagonal of the mass matrix at the configuration of the file.
std::vector<double> inertiaAboutJoints(const mjModel& model, mjData& data) {
  const auto n = static_cast<size_t>(model.nv);
  mj_forward(&model, &data);
  std::vector<double> full(n * n), inertia;
  mj_fullM(&model, full.data(), data.qM);
  for (size_t j = 0; j < n; ++j) inertia.push_back(full[j * n + j] + 1e-4);
  return inertia;
}

RawBlock simulated(mjModel& model, std::uint64_t seed, double speed) {
  model.opt.timestep = kStep;
  model.opt.disableflags |= mjDSBL_CONTACT | mjDSBL_ACTUATION | mjDSBL_LIMIT;
  const DataPointer data(mj_makeData(&model), &mj_deleteData);
  const std::vector<double> inertia = inertiaAboutJoints(model, *data);
  addFriction(model, inertia);
  const std::vector<Reference> motion = randomMotion(model, seed, speed);
  for (size_t j = 0; j < motion.size(); ++j) {
    data->qpos[j] = motion[j].position(0.0);
    data->qvel[j] = motion[j].velocity(0.0);
  }
  RawBlock log;
  log.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, (kRows - 1) * kStep * kStepsPerRow);
  log.position.resize(kRows, model.nv);
  log.effort.resize(kRows, model.nv);
  for (int row = -kSettlingRows; row < kRows; ++row)
    for (int step = 0; step < kStepsPerRow; ++step) {
      for (size_t j = 0; j < motion.size(); ++j)
        data->qfrc_applied[j] =
            inertia[j] *
            (kBandwidth * kBandwidth * (motion[j].position(data->time) - data->qpos[j]) +
             2.0 * kBandwidth * (motion[j].velocity(data->time) - data->qvel[j]));
      if (step == 0 && row >= 0)
        for (Index j = 0; j < model.nv; ++j) {
          log.position(row, j) = std::round(data->qpos[j] / kEncoderStep) * kEncoderStep;
          log.effort(row, j) = data->qfrc_applied[j];
        }
      mj_step(&model, data.get());
    }
  return log;
}

void addNoise(Eigen::MatrixXd& effort, std::uint64_t seed) {
  std::mt19937_64 random(seed + 1000);
  std::normal_distribution<double> normal;
  for (Index j = 0; j < effort.cols(); ++j) {
    const double size =
        kEffortNoise * effort.col(j).norm() / std::sqrt(static_cast<double>(effort.rows()));
    for (double& value : effort.col(j)) value += size * normal(random);
  }
}

void run(const std::string& mjcf, const std::string& path, std::uint64_t seed, double speed) {
  const ModelPointer model = loadStripped(mjcf);
  LogHeader header;
  for (int j = 0; j < model->njnt; ++j) {
    header.joint_names.emplace_back(mj_id2name(model.get(), mjOBJ_JOINT, j));
    header.prismatic.push_back(model->jnt_type[j] == mjJNT_SLIDE);
  }
  header.has_velocity = false;
  RawBlock log = simulated(*model, seed, speed);
  addNoise(log.effort, seed);
  LogWriter writer(path, header);
  writer.append(log);
  writer.finish();
}

}  // namespace
}  // namespace dynid::mujoco

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: mujoco_log MODEL.xml LOG.h5 SEED SPEED\n");
    return 2;
  }
  try {
    dynid::mujoco::run(argv[1], argv[2], std::stoul(argv[3]), std::stod(argv[4]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
