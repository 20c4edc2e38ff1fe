#include "dynid/model/exports.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/model/column_place.h"
#include "dynid/model/export_check.h"
#include "dynid/model/file_names.h"
#include "dynid/model/json.h"
#include "dynid/model/mjcf_rewrite.h"
#include "dynid/model/mjcf_writer.h"
#include "dynid/model/model_efforts.h"
#include "dynid/model/sdf_writer.h"
#include "dynid/model/urdf_rewrite.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/mjcf.h"
#include "dynid/robot/root_body.h"
#include "dynid/robot/xml_offsets.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace dynid {
namespace {

// 17 digits and two changes of the reference point cause errors of about 1e-13 of the largest
// effort.
constexpr double kTolerance = 1e-9;

void refuseUnfit(const Model& model, const std::string& format) {
  if (!model.status.usable)
    throw InputError(
        fmt::format("no {} is written: the model is not usable: {}", format, model.status.reason));
  if (!model.scale_known)
    throw InputError(
        fmt::format("no {} is written: the masses are known up to one common factor only; give a "
                    "drive_gain in the robot description, or a log with a known payload",
                    format));
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    const double mass = model.body(k)(0);
    if (mass > 0.0 || model.robot->bodies[k].massless || model.body(k).isZero(0.0)) continue;
    throw InputError(fmt::format(
        "no {} is written: the model gives link \"{}\" the mass {} kg; a positive one is expected: "
        "the model was changed after identification; identify again",
        format,
        model.robot->bodies[k].name,
        toText(mass)));
  }
}

void refuseDisagreement(double disagreement, const std::string& format) {
  if (!(disagreement <= kTolerance))
    throw InputError(
        fmt::format("no {} is written: read back, its torques differ from the model's by {} of the "
                    "largest",
                    format,
                    toText(disagreement, 3)));
}

/// Programs that read SDF files refuse links without mass.
void requireMasses(const Robot& robot, const std::map<std::string, ReadBackBody>& bodies) {
  const int count = robot.numBodies() - (hasRootBody(robot) ? 1 : 0);
  for (int k = 0; k < count; ++k) {
    const std::string& name = robot.bodies[k].name;
    const auto found = bodies.find(name);
    if (found == bodies.end() || found->second.inertial(0) > 0.0) continue;
    throw InputError(
        fmt::format("no SDF is written: link \"{}\" has the mass {} kg, and programs that read SDF "
                    "need a positive one; give it a mass in the description and identify again, "
                    "or export another format",
                    name,
                    toText(found->second.inertial(0))));
  }
}

void addLoops(const Robot& robot, const std::string& format, std::vector<std::string>& dropped) {
  for (const Loop& loop : robot.loops)
    dropped.push_back(
        fmt::format("{} cannot represent closed chains: the file is the tree cut open at loop {}, "
                    "and its torques are valid only together with the [[loop]] of the description",
                    format,
                    loop.name));
}

void append(std::vector<std::string>& to, const std::vector<std::string>& sentences) {
  to.insert(to.end(), sentences.begin(), sentences.end());
}

/// Inertias that a rewritten file gets.
struct FileInertias {
  std::map<std::string, InertialParameters> of_links;  ///< about their origins, in their axes
  std::set<std::string> removed;    ///< links whose inertia is removed: another link contains it
  std::vector<std::string> shared;  ///< links behind held joints that get a share of their body
};

/// To which links the mass of links that are fixed to the leading link of their body is written.
enum class FixedLinks {
  kKept,     ///< they keep the inertia of the file, and the leading link gets the difference
  kWritten,  ///< the same, with the inertia that was read written into the file
  kLumped    ///< into the leading link
};

/// Share of a body's inertia for a link behind a held joint whose inertia is not known. Without an
/// inertia it would count as unknown when the file is read.
constexpr double kShare = 1e-3;

/// Divides the inertia of a body among the links of a file. Links that keep the inertia of the file
/// do so only if the difference is a possible body.
void divide(const Body& body, const InertialParameters& pi, FixedLinks fixed, FileInertias& file) {
  std::vector<const Body::FixedLink*> links;
  for (const Body::FixedLink& link : body.links)
    if (!link.massless) links.push_back(&link);
  const auto keeps = [&](const Body::FixedLink& link) {
    return link.held || fixed != FixedLinks::kLumped;
  };
  InertialParameters rest = pi;
  bool known = true;
  for (size_t i = 1; i < links.size(); ++i) {
    if (!keeps(*links[i])) {
      file.removed.insert(links[i]->name);
      continue;
    }
    known = known && links[i]->inertial.has_value();
    if (known) rest -= transformed(links[i]->X_BL, *links[i]->inertial);
  }
  const bool possible = known && smallestPseudoEigenvalue(rest) > 0.0;
  if (!possible) rest = pi;
  for (size_t i = 1; i < links.size() && possible && fixed == FixedLinks::kWritten; ++i)
    file.of_links[links[i]->name] = *links[i]->inertial;
  for (size_t i = 1; i < links.size() && !possible; ++i) {
    const Body::FixedLink& link = *links[i];
    if (!keeps(link)) continue;
    const InertialParameters share = link.held ? (kShare * pi).eval() : InertialParameters::Zero();
    rest -= share;
    file.of_links[link.name] = transformed(link.X_BL.inverse(), share);
    if (link.held) file.shared.push_back(link.name);
  }
  file.of_links[links.front()->name] = transformed(links.front()->X_BL.inverse(), rest);
}

FileInertias fileInertias(const Model& model, FixedLinks fixed) {
  FileInertias file;
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    const Body& body = model.robot->bodies[k];
    const bool is_world = body.name == "world" && body.name == model.robot->root_link;
    if (is_world || body.massless) continue;
    divide(body, model.body(k), fixed, file);
  }
  return file;
}

void addShared(const FileInertias& file, std::vector<std::string>& dropped) {
  if (file.shared.empty()) return;
  dropped.push_back(fmt::format(
      "logs with held joints do not tell the masses on both sides apart: {} get {} % of the "
      "inertia of their bodies in the file",
      join(file.shared),
      toText(100.0 * kShare)));
}

/// Joints without an effort of their own: those that follow others, and passive ones. Their damping
/// and friction is included in the effort of the joints that move them.
std::vector<std::string> jointsWithoutEffort(const Robot& robot) {
  std::vector<std::string> names;
  for (const Body& body : robot.bodies) {
    const bool active =
        body.joint < robot.numJoints() && robot.joints[body.joint].name == body.joint_name;
    if (body.name != robot.root_link && !active) names.push_back(body.joint_name);
  }
  return names;
}

std::string rewritten(const Model& model,
                      const SimpleJoints& joints,
                      const FileInertias& inertias,
                      const std::map<std::string, double>& rotor_inertias) {
  const Robot& robot = *model.robot;
  std::map<std::string, JointDynamics> dynamics;
  for (int j = 0; j < robot.numJoints(); ++j)
    dynamics[robot.joints[j].name] = {joints.damping(j), joints.friction(j)};
  for (const std::string& joint : jointsWithoutEffort(robot)) dynamics[joint] = {};
  return rewriteUrdf(
      robot.urdf_text, inertias.of_links, dynamics, inertias.removed, rotor_inertias);
}

Robot reloaded(const Robot& robot, const std::string& urdf) {
  Robot other = parseRobot(robot.description_text, urdf, holding(robot.ignored_joints));
  return hasRootBody(robot) ? withRootBody(other) : other;
}

/// Links between several joints of one MJCF body that have a mass in the model. Models of earlier
/// versions may have them.
std::vector<std::string> massBetweenJoints(const Model& model) {
  std::vector<std::string> names;
  for (int k = 0; k < model.robot->numBodies(); ++k)
    if (model.robot->bodies[k].massless && !model.body(k).isZero(0.0))
      names.push_back(model.robot->bodies[k].name);
  return names;
}

/// The model with a share of the inertia of bodies with several joints between these joints, where
/// a format has a link that needs an inertia.
/// @param links  receives the names of these links
Model withMassBetweenJoints(const Model& model, std::vector<std::string>& links) {
  Model shared = model;
  const Robot& robot = *model.robot;
  for (int k = robot.numBodies() - 1; k >= 0; --k) {
    const Body& body = robot.bodies[k];
    const int parent = body.parent;
    if (body.massless || parent < 0 || !robot.bodies[parent].massless) continue;
    const InertialParameters share = kShare * model.body(k);
    Transform X;  // pose of the body in the link between the joints
    for (int at = k; robot.bodies[at].parent >= 0 && robot.bodies[robot.bodies[at].parent].massless;
         at = robot.bodies[at].parent) {
      const int between = robot.bodies[at].parent;
      X = robot.bodies[at].X_PJ * X;
      if (!shared.body(between).isZero(0.0)) continue;
      shared.parameters.segment<10>(10 * between) = transformed(X, share);
      shared.parameters.segment<10>(10 * k) -= share;
      links.push_back(robot.bodies[between].name);
    }
  }
  return shared;
}

/// The user's MJCF with the values of the model.
std::string rewrittenMjcf(const Model& model,
                          const SimpleJoints& joints,
                          const FileInertias& inertias) {
  const Robot& robot = *model.robot;
  std::map<std::string, MjcfJointEffects> effects;
  for (int j = 0; j < robot.numJoints(); ++j) {
    const Joint& joint = robot.joints[j];
    MjcfJointEffects& effect = effects[joint.name];
    effect = {joints.damping(j), joints.friction(j), joints.armature(j), {}};
    if (joint.stiffness != 0.0 || joints.stiffness(j) > 0.0)
      effect.spring = {joints.stiffness(j), joints.spring_reference(j), joint.prismatic};
  }
  for (const std::string& joint : jointsWithoutEffort(robot)) effects[joint] = {};
  return rewriteMjcf(robot.mjcf_text, inertias.of_links, effects, robot.gravity);
}

/// Adds a gravity that users of the file have to set, because the format has none.
void addGravity(const Robot& robot, const std::string& format, std::vector<std::string>& dropped) {
  constexpr double kLocalDifferences = 0.05;  // [m/s^2] of standard gravity on the earth
  const Eigen::Vector3d usual(0.0, 0.0, -9.80665);
  if ((robot.gravity - usual).norm() <= kLocalDifferences) return;
  const Eigen::Vector3d gravity = robot.gravity.array() + 0.0;  // writes -0 as 0
  dropped.push_back(fmt::format(
      "{} has no gravity, and programs that read it assume (0, 0, -9.81): set ({}, {}, {}) m/s^2 "
      "there, in the frame of {}",
      format,
      toText(gravity.x(), 4),
      toText(gravity.y(), 4),
      toText(gravity.z(), 4),
      robot.root_link));
}

/// Adds what a new file does not contain.
void addNewFile(const Robot& robot, const std::string& format, std::vector<std::string>& dropped) {
  dropped.push_back(fmt::format("the {} is new and has no geometry: meshes of the {} are left out",
                                format,
                                robot.mjcf_text.empty() ? "URDF" : "MJCF"));
}

/// Adds the joints whose velocity limit a new MJCF does not contain.
void addLostVelocityLimits(const Robot& robot, std::vector<std::string>& dropped) {
  std::vector<std::string> names;
  for (const Joint& joint : robot.joints)
    if (std::isfinite(joint.limits.velocity)) names.push_back(joint.name);
  if (!names.empty())
    dropped.push_back(
        fmt::format("an MJCF has no place for the velocity limits of {}: keep to them "
                    "in the controller",
                    join(names)));
}

/// Says which options of <compiler> are not in the file.
std::string changedOptions(const std::vector<std::string>& options) {
  const bool from_geom =
      std::find(options.begin(), options.end(), "inertiafromgeom") != options.end();
  return fmt::format(
      "<compiler> {}: left out{}, because MuJoCo would change the identified "
      "inertias with it",
      join(options),
      from_geom ? " (inertiafromgeom is \"auto\")" : "");
}

/// Whether an element of the text has an attribute `file`.
bool namesFiles(const std::string& text) {
  std::vector<XmlSpan> todo = {locateElements(text)};
  while (!todo.empty()) {
    const XmlSpan element = std::move(todo.back());
    todo.pop_back();
    if (element.attribute("file") != nullptr) return true;
    todo.insert(todo.end(), element.children.begin(), element.children.end());
  }
  return false;
}

/// Error of predictions at the operating points without state and filter, as the C code computes
/// them.
ExportCost pointwiseCost(const Model& model) {
  ExportCost cost;
  const OperatingPoints& points = model.operating_points;
  cost.points = points.q.rows();
  if (cost.points == 0 || points.measured.norm() == 0.0) return cost;
  const Eigen::MatrixXd file = effortsByCause(model, points.q, points.dq, points.ddq).total();
  const double norm = points.measured.norm();
  cost.model_error = (points.measured - points.predicted).norm() / norm;
  cost.file_error = (points.measured - file).norm() / norm;
  cost.losses.push_back(
      {"the filters of the model (cut-offs of single joints and terms) and presliding",
       cost.file_error});
  return cost;
}

/// Drive inertias of the joints that have a transmission in the URDF; the other joints are added to
/// the messages.
std::map<std::string, double> rotorInertias(const Model& model,
                                            const SimpleJoints& joints,
                                            std::vector<std::string>& dropped) {
  const std::set<std::string> transmitted = jointsWithTransmission(model.robot->urdf_text);
  std::map<std::string, double> inertias;
  std::vector<std::string> others;
  for (int j = 0; j < model.robot->numJoints(); ++j) {
    const std::string& name = model.robot->joints[j].name;
    if (!(joints.armature(j) > 0.0)) continue;
    if (transmitted.count(name) > 0)
      inertias[name] = joints.armature(j);
    else
      others.push_back(name);
  }
  if (!others.empty())
    dropped.push_back(
        fmt::format("the URDF has no <transmission> with an <actuator> to take the drive inertia "
                    "of {}",
                    join(others)));
  return inertias;
}

/// Sentence about the error of a simulator that uses the drive inertia.
std::string rotorInertiaSentence(const Model& model,
                                 const SimpleJoints& joints,
                                 FileHolds holds,
                                 size_t count) {
  holds.armature = true;
  const ExportCost cost = exportCost(model, joints, holds);
  std::string sentence = fmt::format(
      "the drive inertia of {} joints is written as drake:rotor_inertia: Drake reads it, Gazebo "
      "does not",
      count);
  if (cost.points > 0 && static_cast<int>(count) == model.robot->numJoints())
    sentence +=
        fmt::format(" (with it the torque error is {} %)", toText(100 * cost.file_error, 3));
  return sentence;
}

}  // namespace

ExportedModel exportUrdf(const Model& model, DriveInertia drives) {
  refuseUnfit(model, "URDF");
  const Robot& robot = *model.robot;
  if (robot.urdf_text.empty())
    throw InputError("no URDF is written: the robot is described by an MJCF; use `mjcf`");
  const SimpleJoints joints = fitSimpleJoints(model);
  ExportedModel result;
  std::map<std::string, double> rotor_inertias;
  if (drives == DriveInertia::kRotorInertia)
    rotor_inertias = rotorInertias(model, joints, result.dropped);
  const FileInertias inertias = fileInertias(model, FixedLinks::kLumped);
  addShared(inertias, result.dropped);
  result.text = rewritten(model, joints, inertias, rotor_inertias);
  result.max_relative_disagreement = rigidDisagreement(model, reloaded(robot, result.text));
  refuseDisagreement(result.max_relative_disagreement, "URDF");
  result.cost = exportCost(model, joints, {});
  addLoops(robot, "a URDF", result.dropped);
  addGravity(robot, "a URDF", result.dropped);
  append(result.dropped, costSentences(model, result.cost, "a URDF"));
  if (!rotor_inertias.empty())
    result.dropped.push_back(rotorInertiaSentence(model, joints, {}, rotor_inertias.size()));
  return result;
}

ExportedModel exportMjcf(const Model& model) {
  refuseUnfit(model, "MJCF");
  const SimpleJoints joints = fitSimpleJoints(model);
  ExportedModel result;
  const bool from_mjcf = !model.robot->mjcf_text.empty();
  const std::vector<std::string> between =
      from_mjcf ? massBetweenJoints(model) : std::vector<std::string>{};
  const bool rewritten = from_mjcf && between.empty();
  // Without these options the file would have other inertias for links that keep theirs.
  const std::vector<std::string> options =
      rewritten ? mjcfInertiaOptions(model.robot->mjcf_text) : std::vector<std::string>{};
  const FileInertias inertias =
      fileInertias(model, options.empty() ? FixedLinks::kKept : FixedLinks::kWritten);
  if (rewritten) addShared(inertias, result.dropped);
  std::vector<std::string> renamed;
  if (rewritten) {
    result.text = rewrittenMjcf(model, joints, inertias);
    result.max_relative_disagreement =
        rigidDisagreement(model, reloaded(*model.robot, result.text));
  } else {
    const Model named = withFileNames(model, FileFormat::kMjcf, renamed);
    result.text = writeMjcf(named, joints);
    result.max_relative_disagreement = rigidDisagreement(named, bodiesOfMjcf(result.text));
  }
  refuseDisagreement(result.max_relative_disagreement, "MJCF");
  FileHolds holds;
  holds.armature = true;
  holds.springs = true;
  result.cost = exportCost(model, joints, holds);
  if (!rewritten) {
    addLoops(*model.robot, "an MJCF", result.dropped);
    addNewFile(*model.robot, "MJCF", result.dropped);
    append(result.dropped, renamed);
    addLostVelocityLimits(*model.robot, result.dropped);
  }
  if (!between.empty())
    result.dropped.push_back(
        "the MJCF is new, because bodies of the given file have several joints and the model has "
        "mass between them, for which the file has no body: " +
        join(between));
  if (!options.empty()) result.dropped.push_back(changedOptions(options));
  if (rewritten && namesFiles(result.text))
    result.dropped.emplace_back(
        "the MJCF refers to meshes or textures by relative paths: save it in the folder of the "
        "original");
  append(result.dropped, costSentences(model, result.cost, "an MJCF"));
  return result;
}

ExportedModel exportSdf(const Model& model, DriveInertia drives) {
  refuseUnfit(model, "SDF");
  const SimpleJoints joints = fitSimpleJoints(model);
  ExportedModel result;
  const bool rotor_inertia = drives == DriveInertia::kRotorInertia;
  std::vector<std::string> between, renamed;
  const Model named = withFileNames(model, FileFormat::kSdf, renamed);
  const Model shared = withMassBetweenJoints(named, between);
  result.text = writeSdf(shared, joints, rotor_inertia);
  const std::map<std::string, ReadBackBody> bodies = bodiesOfSdf(result.text);
  requireMasses(*named.robot, bodies);
  result.max_relative_disagreement = rigidDisagreement(shared, bodies);
  refuseDisagreement(result.max_relative_disagreement, "SDF");
  if (!between.empty())
    result.dropped.push_back(fmt::format(
        "SDF has no links without mass: {}, between several joints of one body, get {} % of its "
        "inertia each, which changes the torques by {} % of the largest",
        join(between),
        toText(100.0 * kShare),
        toText(100.0 * rigidDisagreement(named, bodies), 2)));
  FileHolds holds;
  holds.springs = true;
  result.cost = exportCost(model, joints, holds);
  addLoops(*model.robot, "an SDF", result.dropped);
  addGravity(*model.robot, "an SDF model", result.dropped);
  addNewFile(*model.robot, "SDF", result.dropped);
  append(result.dropped, renamed);
  append(result.dropped, sdfLosses(*named.robot));
  append(result.dropped, costSentences(model, result.cost, "an SDF"));
  if (rotor_inertia)
    result.dropped.push_back(rotorInertiaSentence(model, joints, holds, joints.refitted.size()));
  return result;
}

ExportedCode exportC(const Model& model, const std::string& stem) {
  refuseUnfit(model, "C file");
  ExportedCode result;
  result.files = writeC(model, stem, sha256(toJson(model)));
  refuseDisagreement(result.files.max_relative_disagreement, "C file");
  std::vector<std::string> presliding;
  for (const Column& column : model.layout.columns())
    if (column.kind == ColumnKind::kFriction && column.presliding > 0.0)
      presliding.push_back(column.name);
  if (!presliding.empty())
    result.dropped.push_back(
        "the C functions have no memory: presliding is replaced by the direction of motion in " +
        join(presliding));
  if (!model.payloads.empty())
    result.dropped.emplace_back("the C functions are those of the robot without a payload");
  result.cost = pointwiseCost(model);
  append(result.dropped, costSentences(model, result.cost, "C"));
  return result;
}

}  // namespace dynid
