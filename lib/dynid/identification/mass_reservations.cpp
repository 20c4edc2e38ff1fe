#include "dynid/identification/mass_reservations.h"

#include "dynid/core/text.h"
#include "dynid/diagnosis/uniform_rods.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kMassOverPrior = 5.0;
constexpr double kLinkOverPrior = 4.0;
// Described over identified total mass from which efforts that are small beside other facts, too,
// are in another unit. Torques before gears of 50 to 120 give 30 to 100; efforts that are a tenth
// of the right ones stay below.
constexpr double kFarTooLight = 20.0;
// Ratio of both from which one of them is in another unit, whatever else is known: kN m or g make
// 1000.
constexpr double kOtherUnit = 100.0;
constexpr double kLeastShare = 0.05;  // of a link, in the total mass
// Of the noise floor of a joint: error that the stated values of a payload must add to be named.
// Right values reach 0.09 in simulated logs of currents, where gains are identified too; a mass
// that is wrong by 3 % adds 0.45 in logs of torques.
constexpr double kAddedOverFloor = 0.2;

// Reports a fitted total mass that is far from that of the description. A small tree without
// described masses is compared with uniform rods, with a wide margin: 3.7 kg on two links of 0.3 m
// are 7 times the mass of such rods, and a table on a short joint may be many times more.
void addTotalMass(const Model& model, std::vector<std::string>& found) {
  const Robot& robot = *model.robot;
  const double mass = sumOfMasses(model.parameters, robot.numBodies());
  const double prior = robot.priorMass();
  if (std::isnan(prior)) {
    constexpr double kUnitOverRods = 200.0;
    const double rods = sumOfMasses(uniformRods(robot), robot.numBodies());
    if (robot.loops.empty() && robot.numBodies() > 1 && mass > kUnitOverRods * rods)
      found.push_back(fmt::format(
          "the moving links weigh {:.3g} kg together, {:.0f} times what rods of the size "
          "of this robot would: check the unit of the efforts (N mm, mA) and lengths (m) "
          "of the description, or give masses",
          mass,
          mass / rods));
    return;
  }
  if (isAsDescribed(mass, prior)) return;
  found.push_back(fmt::format(
      "the moving links weigh {:.3g} kg together, those of the description {:.3g} kg: check masses "
      "(kg) and lengths (m) of the description, the unit of the efforts and gear ratios",
      mass,
      prior));
}

bool affectsEfforts(const Model& model, int column) {
  return column >= std::ssize(model.verdicts) ||
         model.verdicts[column].identifiability != Identifiability::kNone;
}

// The masses, in kg, of a link in the model and in the description.
struct LinkMass {
  std::string link;
  double identified = 0.0, described = 0.0;
};

// The links of linksUnlikeDescribed.
std::vector<LinkMass> massesUnlikeDescribed(const Model& model) {
  const Robot& robot = *model.robot;
  const double described_total = robot.priorMass();
  const double total = sumOfMasses(model.parameters, robot.numBodies());
  std::vector<LinkMass> links;
  if (!isAsDescribed(total, described_total)) return links;
  for (int k = 0; k < robot.numBodies(); ++k) {
    const Body& body = robot.bodies[k];
    if (body.massless || !body.prior || body.bounds.mass) continue;
    const double mass = model.parameters(10 * k), described = (*body.prior)(0);
    // A mass that the efforts do not depend on is that of the prior, or what the first moments and
    // inertias that they depend on need.
    if (mass < described && !affectsEfforts(model, 10 * k)) continue;
    if (mass < kLeastShare * total && described < kLeastShare * described_total) continue;
    if (mass <= kLinkOverPrior * described && mass * kLinkOverPrior >= described) continue;
    links.push_back({body.name, mass, described});
  }
  return links;
}

// Reports single links with a mass far from the description. Efforts that the description lacks
// make links heavier; where all are lighter, a wrong description is the most likely cause.
void addLinkMasses(const Model& model, bool doubtful_unit, std::vector<std::string>& found) {
  const std::vector<LinkMass> links = massesUnlikeDescribed(model);
  if (links.empty()) return;
  const bool all_lighter = std::all_of(links.begin(), links.end(), [](const LinkMass& link) {
    return link.identified < link.described;
  });
  const std::string causes =
      all_lighter
          ? "the description may state too much: compare its masses (kg) with the data sheet; "
            "otherwise a counterbalance that it lacks ([joint.NAME] position_effects), or a wrong "
            "unit of the efforts"
          : "efforts that the description lacks become mass: a spring or counterbalance "
            "([joint.NAME] position_effects), a payload, or a wrong unit; or its masses (kg) are "
            "wrong: compare them with the data sheet";
  found.push_back(fmt::format(
      "links weigh more than {0} times, or less than a quarter of, what the description states "
      "(in brackets): {1}; {2}",
      kLinkOverPrior,
      join(linksUnlikeDescribed(model)),
      doubtful_unit ? "check the unit of the efforts first" : causes));
}

// Whether the efforts of a log were multiplied by an assumed factor other than a sign.
bool assumesEffortScale(const Model& model) {
  for (const LogRecord& log : model.provenance.logs)
    for (const double factor : log.assumptions.correction.effort_factor)
      if (std::abs(factor) != 1.0) return true;
  return false;
}

// Reports drive inertias of slides that no drive has. A motor of 1e-4 kg m^2 on a spindle of 2 mm
// per turn has 1000 kg. Revolute joints are judged in implausibilities.
void addSlideDrives(const Model& model, std::vector<std::string>& found) {
  constexpr double kDriveOverMass = 300.0;
  const Robot& robot = *model.robot;
  const double mass = sumOfMasses(model.parameters, robot.numBodies());
  for (int c = 0; c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    if (column.kind != ColumnKind::kDriveInertia || !robot.joints[column.owner].prismatic) continue;
    if (!(model.parameters(c) > kDriveOverMass * mass)) continue;
    found.push_back(fmt::format(
        "the drive inertia of {} is {:.3g} kg, {:.0f} times the mass of the moving links: check "
        "the unit of its efforts and positions, and the time stamps",
        robot.drives[column.owner].name,
        model.parameters(c),
        model.parameters(c) / mass));
  }
}

void addUnusedBounds(const Model& model, std::vector<std::string>& found) {
  std::vector<std::string> bounds;
  for (const Body& body : model.robot->bodies)
    if (body.bounds.mass) bounds.push_back(body.name + " mass");
  if (model.robot->total_mass) bounds.emplace_back(kTotalMassBound);
  if (!bounds.empty())
    found.push_back(fmt::format(
        "mass bounds of the description are not used ({}): efforts are in A without a drive gain, "
        "and no known payload determines the scale; give drive_gain for one joint",
        join(bounds)));
}

// The part of the relative error of a channel that the constraints cause, to be added to the rest
// by squares.
double errorOfPhysics(const ChannelFit& channel) {
  const double without = 1.0 / (1.0 + channel.price_of_physics);
  return channel.relative_error * std::sqrt(std::max(0.0, 1.0 - without * without));
}

void addPayloads(const Model& model, std::vector<std::string>& found) {
  for (const PayloadModel& payload : model.payloads) {
    std::vector<std::string> joints;
    for (Eigen::Index j = 0; j < std::ssize(model.fit.per_joint); ++j) {
      const ChannelFit& channel = model.fit.per_joint[j];
      if (errorOfPhysics(channel) < kAddedOverFloor * channel.noise_floor) continue;
      if (channel.price_reason.find("\"" + payload.name + ".") != std::string::npos)
        joints.push_back(fmt::format(
            "{} by {:.0f} %", model.robot->drives[j].name, 100.0 * channel.price_of_physics));
    }
    if (!joints.empty())
      found.push_back(fmt::format(
          "the stated values of {} on {} raise the error of {}: check that its log was "
          "recorded with it, its mass (kg) and its link",
          payload.name.starts_with("payload ") ? payload.name : "the payload " + payload.name,
          payload.link,
          join(joints)));
  }
}

}  // namespace

double sumOfMasses(const Eigen::VectorXd& inertial, int bodies) {
  double sum = 0.0;
  for (int b = 0; b < bodies; ++b) sum += inertial(10 * b);
  return sum;
}

bool isAsDescribed(double mass, double described) {
  return mass <= kMassOverPrior * described && mass * kMassOverPrior >= described;
}

std::vector<std::string> linksUnlikeDescribed(const Model& model) {
  std::vector<std::string> links;
  for (const auto& [link, identified, described] : massesUnlikeDescribed(model))
    links.push_back(fmt::format("{} {:.3g} kg ({:.3g} kg)", link, identified, described));
  return links;
}

std::vector<std::string> massesOfAnotherUnit(const Model& model, bool doubtful_unit) {
  if (!model.scale_known || model.parameters.size() == 0) return {};
  const double mass = sumOfMasses(model.parameters, model.robot->numBodies());
  const double described = model.robot->priorMass();
  if (mass * kOtherUnit < described || mass > kOtherUnit * described)
    return {fmt::format(
        "the moving links weigh {:.3g} kg together, those of the description {:.3g} kg: the "
        "efforts are not joint torques in N m (unit and gear_ratio under [effort] in the import "
        "mapping), or the masses of the description are not in kg, its lengths not in m",
        mass,
        described)};
  if (std::isfinite(described) && !isAsDescribed(mass, described) && assumesEffortScale(model))
    return {fmt::format(
        "the moving links weigh {:.3g} kg together, those of the description {:.3g} kg: what is "
        "assumed about the size of efforts is wrong, or not all; set unit, gear_ratio and scale of "
        "every joint under [effort] in the import mapping (the scale of shares of a rated torque "
        "is that torque), and leave `apply_diagnosis` out",
        mass,
        described)};
  if (!doubtful_unit || !(mass * kFarTooLight < described)) return {};
  return {fmt::format(
      "the moving links weigh {:.3g} kg together, those of the description {:.3g} kg, and a "
      "warning about the log says that its efforts are too small, too: they are not joint torques "
      "in N m; torques of the motors need their gear_ratio under [effort] in the import mapping, "
      "which may "
      "differ between joints, and motor currents belong under [current] with drive_gain in "
      "[joint.NAME]; or the description states masses and effort limits of another robot",
      mass,
      described)};
}

std::vector<std::string> massReservations(const Model& model, bool doubtful_unit) {
  std::vector<std::string> found;
  if (!model.scale_known) addUnusedBounds(model, found);
  addPayloads(model, found);
  if (!model.scale_known || model.parameters.size() == 0) return found;
  if (massesOfAnotherUnit(model, doubtful_unit).empty()) addTotalMass(model, found);
  addLinkMasses(model, doubtful_unit, found);
  addSlideDrives(model, found);
  return found;
}

}  // namespace dynid
