#include "dynid/model/exports.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/text.h"
#include "dynid/model/column_place.h"
#include "dynid/model/export_check.h"
#include "dynid/model/json.h"
#include "dynid/model/mjcf_rewrite.h"
#include "dynid/model/mjcf_writer.h"
#include "dynid/model/model_efforts.h"
#include "dynid/model/root_name.h"
#include "dynid/model/sdf_writer.h"
#include "dynid/model/urdf_rewrite.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/mjcf.h"
#include "dynid/robot/root_body.h"
#include "dynid/robot/xml_offsets.h"
#include "dynid/spatial/pseudo_inertia.h"

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
    throw InputError(fmt::format(
        "no {} is written: the masses are known up to one common factor only; give a drive_gain, a "
        "known payload or a known mass in the robot description",
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

/// Links whose mass is included in the new inertia of the leading link of their body.
std::set<std::string> lumpedLinks(const Robot& robot) {
  std::set<std::string> names;
  for (const Body& body : robot.bodies)
    for (size_t i = 1; i < body.links.size(); ++i) names.insert(body.links[i].name);
  return names;
}

std::string rewritten(const Model& model,
                      const SimpleJoints& joints,
                      const std::map<std::string, double>& rotor_inertias) {
  const Robot& robot = *model.robot;
  if (robot.urdf_text.empty())
    throw InputError("robot \"" + robot.name +
                     "\" is described by an MJCF, so there is no URDF to rewrite; write an MJCF or "
                     "SDF file instead");
  std::map<std::string, InertialParameters> inertials;
  for (int k = 0; k < robot.numBodies(); ++k) inertials[robot.bodies[k].name] = model.body(k);
  std::map<std::string, JointDynamics> dynamics;
  for (int j = 0; j < robot.numJoints(); ++j)
    dynamics[robot.joints[j].name] = {joints.damping(j), joints.friction(j)};
  return rewriteUrdf(robot.urdf_text, inertials, dynamics, lumpedLinks(robot), rotor_inertias);
}

Robot reloaded(const Robot& robot, const std::string& urdf) {
  RobotOptions options;
  for (const auto& [joint, value] : robot.ignored_joints) options.exclude_joints.push_back(joint);
  Robot other = parseRobot(robot.description_text, urdf, options);
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

/// Inertias of the MJCF bodies, in their frames. A body that is welded to an identified one keeps
/// the inertia of the file, and the identified one gets the difference. If the difference is not a
/// possible body, or if the file leaves the inertia to geometry, the welded body gets none and the
/// identified body gets all.
std::map<std::string, InertialParameters> mjcfInertials(const Model& model) {
  std::map<std::string, InertialParameters> inertials;
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    const Body& body = model.robot->bodies[k];
    const Body::FixedLink& leading = body.links.front();
    if (leading.name == "world" || body.massless) continue;
    InertialParameters rest = model.body(k);
    bool known = true;
    for (size_t i = 1; i < body.links.size(); ++i) {
      known = known && body.links[i].inertial.has_value();
      if (known) rest -= transformed(body.links[i].X_BL, *body.links[i].inertial);
    }
    const bool keep = known && smallestPseudoEigenvalue(rest) > 0.0;
    inertials[leading.name] = transformed(leading.X_BL.inverse(), keep ? rest : model.body(k));
    for (size_t i = 1; i < body.links.size() && !keep; ++i)
      inertials[body.links[i].name] = InertialParameters::Zero();
  }
  return inertials;
}

/// The user's MJCF with the values of the model.
std::string rewrittenMjcf(const Model& model, const SimpleJoints& joints) {
  const Robot& robot = *model.robot;
  std::map<std::string, MjcfJointEffects> effects;
  for (int j = 0; j < robot.numJoints(); ++j) {
    const Joint& joint = robot.joints[j];
    MjcfJointEffects& effect = effects[joint.name];
    effect = {joints.damping(j), joints.friction(j), joints.armature(j), {}};
    if (joint.stiffness != 0.0 || joints.stiffness(j) > 0.0)
      effect.spring = {joints.stiffness(j), joints.spring_reference(j), joint.prismatic};
  }
  // The effort of mimic joints is included in the effort of the joint that they follow.
  for (const Body& body : robot.bodies)
    if (body.name != robot.root_link && body.joint < robot.numJoints() &&
        robot.joints[body.joint].name != body.joint_name)
      effects[body.joint_name] = {};
  return rewriteMjcf(robot.mjcf_text, mjcfInertials(model), effects);
}

/// Adds what a new file does not contain, and the names that it has to change.
void addNewFile(const Robot& robot, const std::string& format, std::vector<std::string>& dropped) {
  dropped.push_back(fmt::format("the {} is new and has no geometry: meshes of the {} are left out",
                                format,
                                robot.mjcf_text.empty() ? "URDF" : "MJCF"));
  const std::string root_name = rootNameInFile(robot);
  if (root_name != robot.root_link)
    dropped.push_back(fmt::format("the root link \"{}\" is called \"{}\": {} reserves its name",
                                  robot.root_link,
                                  root_name,
                                  format));
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
  result.text = rewritten(model, joints, rotor_inertias);
  result.max_relative_disagreement = rigidDisagreement(model, reloaded(robot, result.text));
  refuseDisagreement(result.max_relative_disagreement, "URDF");
  result.cost = exportCost(model, joints, {});
  addLoops(robot, "a URDF", result.dropped);
  append(result.dropped, costSentences(result.cost, "a URDF"));
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
  result.text = rewritten ? rewrittenMjcf(model, joints) : writeMjcf(model, joints);
  result.max_relative_disagreement =
      rewritten ? rigidDisagreement(model, reloaded(*model.robot, result.text))
                : rigidDisagreement(model, bodiesOfMjcf(result.text));
  refuseDisagreement(result.max_relative_disagreement, "MJCF");
  FileHolds holds;
  holds.armature = true;
  holds.springs = true;
  result.cost = exportCost(model, joints, holds);
  if (!rewritten) {
    addLoops(*model.robot, "an MJCF", result.dropped);
    addNewFile(*model.robot, "MJCF", result.dropped);
  }
  if (!between.empty())
    result.dropped.push_back(
        "the MJCF is new, because bodies of the given file have several joints and the model has "
        "mass between them, for which the file has no body: " +
        join(between));
  if (rewritten && namesFiles(result.text))
    result.dropped.emplace_back(
        "the MJCF refers to meshes or textures by relative paths: save it in the folder of the "
        "original");
  append(result.dropped, costSentences(result.cost, "an MJCF"));
  return result;
}

ExportedModel exportSdf(const Model& model, DriveInertia drives) {
  refuseUnfit(model, "SDF");
  const SimpleJoints joints = fitSimpleJoints(model);
  ExportedModel result;
  const bool rotor_inertia = drives == DriveInertia::kRotorInertia;
  result.text = writeSdf(model, joints, rotor_inertia);
  result.max_relative_disagreement = rigidDisagreement(model, bodiesOfSdf(result.text));
  refuseDisagreement(result.max_relative_disagreement, "SDF");
  FileHolds holds;
  holds.springs = true;
  result.cost = exportCost(model, joints, holds);
  addLoops(*model.robot, "an SDF", result.dropped);
  addNewFile(*model.robot, "SDF", result.dropped);
  append(result.dropped, sdfLosses(*model.robot));
  append(result.dropped, costSentences(result.cost, "an SDF"));
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
  append(result.dropped, costSentences(result.cost, "C"));
  return result;
}

}  // namespace dynid
