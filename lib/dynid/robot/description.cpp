#include "dynid/robot/description.h"

#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/surroundings.h"
#include "dynid/robot/toml_reader.h"

#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

/// A coupling matrix counts as singular if its singular values differ by more than this factor: its
/// inverse would have too few correct digits for torques.
constexpr double kSingularCoupling = 1e-10;
constexpr double kLargestGravity = 50.0;  // [m/s^2]; Jupiter has 25

std::vector<std::string> frictionNames() {
  std::vector<std::string> names;
  for (FrictionEffect effect : allFrictionEffects()) names.emplace_back(toString(effect));
  return names;
}

void readIgnored(TomlReader& top, RobotDescription& description) {
  if (!top.has("ignore")) return;
  if (top.isArray("ignore")) {
    const std::optional<std::vector<std::string>> names = top.texts("ignore");
    for (const std::string& joint : *names)
      description.ignored.push_back({joint, 0.0, top.lineOf("ignore")});
    return;
  }
  std::optional<TomlReader> table = top.table("ignore");
  for (const std::string& joint : table->allKeys())
    description.ignored.push_back({joint, *table->number(joint), table->lineOf(joint)});
}

RobotDescription::LinkEntry readLink(const std::string& name, TomlReader reader) {
  RobotDescription::LinkEntry entry;
  entry.link = name;
  entry.line = reader.line();
  entry.bounds.mass = reader.interval("mass");
  if (entry.bounds.mass && (*entry.bounds.mass)[0] < 0.0)
    reader.fail("mass", "the lower bound is negative; masses are not");
  if (const auto corners = reader.rows("com_box")) {
    if (corners->size() != 2 || (*corners)[0].size() != 3 || (*corners)[1].size() != 3)
      reader.fail("com_box", "[[x, y, z], [x, y, z]] is expected, lower and upper corner");
    entry.bounds.com_box = {Eigen::Vector3d((*corners)[0].data()),
                            Eigen::Vector3d((*corners)[1].data())};
    if (((*entry.bounds.com_box)[0].array() >= (*entry.bounds.com_box)[1].array()).any())
      reader.fail("com_box", "the lower corner is not below the upper corner in every coordinate");
  }
  if (std::optional<TomlReader> ellipsoid = reader.table("ellipsoid")) {
    const auto center = ellipsoid->vector3("center"), radii = ellipsoid->vector3("radii");
    ellipsoid->finish();
    if (!center || !radii)
      reader.fail("ellipsoid",
                  "needs both center and radii, as { center = [x, y, z], radii = [a, b, c] }");
    if ((radii->array() <= 0.0).any()) reader.fail("ellipsoid", "radii must be positive");
    entry.bounds.ellipsoid = LinkBounds::Ellipsoid{*center, *radii};
  }
  reader.finish();
  return entry;
}

RobotDescription::JointEntry::Position readPositionEffect(TomlReader reader) {
  RobotDescription::JointEntry::Position position;
  PositionEffect& effect = position.effect;
  const std::optional<int> kind =
      reader.word("type", {"spring", "polynomial", "fourier", "counterbalance"});
  if (!kind) reader.failHere("needs a type: spring, polynomial, fourier or counterbalance");
  effect.kind = static_cast<PositionEffect::Kind>(*kind);
  const auto required = [&](const auto& value, const char* key) {
    if (!value) reader.failHere(std::string("needs ") + key);
    return *value;
  };
  if (effect.kind == PositionEffect::Kind::kPolynomial)
    effect.degree = required(reader.integer("degree", 1, 12), "degree");
  if (effect.kind == PositionEffect::Kind::kFourier)
    effect.harmonics = required(reader.integer("harmonics", 1, 50), "harmonics");
  if (effect.kind == PositionEffect::Kind::kCounterbalance) {
    effect.radius = required(reader.positive("radius"), "radius");
    effect.distance = required(reader.positive("distance"), "distance");
    effect.angle = reader.number("angle").value_or(0.0);
  }
  if (const std::optional<int> at = reader.word("at", {"joint", "actuator"})) {
    effect.at_actuator = *at == 1;
    position.side_given = true;
  }
  reader.finish();
  return position;
}

void readFriction(TomlReader& reader, RobotDescription::JointEntry& entry) {
  if (!reader.has("friction")) return;
  const std::vector<std::string> names = frictionNames();
  if (reader.isText("friction")) {
    if (*reader.text("friction") != "auto")
      reader.fail("friction",
                  "\"auto\" or a list such as [\"viscous\", \"coulomb\", \"offset\"] is expected");
    return;
  }
  entry.friction.emplace();
  const std::optional<std::vector<std::string>> given = reader.texts("friction");
  for (const std::string& name : *given) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      reader.fail("friction",
                  "\"" + name + "\" is not known" + didYouMean(name, names) +
                      " (any of: " + join(names) + ")");
    const FrictionEffect effect = allFrictionEffects()[found - names.begin()];
    if (std::find(entry.friction->begin(), entry.friction->end(), effect) != entry.friction->end())
      reader.fail("friction", "\"" + name + "\" occurs twice");
    entry.friction->push_back(effect);
  }
}

void readGains(TomlReader& reader, RobotDescription::JointEntry& entry) {
  entry.gear_ratio = reader.number("gear_ratio");
  if (entry.gear_ratio && *entry.gear_ratio == 0.0)
    reader.fail("gear_ratio", "is zero; give motor turns per joint turn");
  if (reader.isText("drive_gain")) {
    if (*reader.text("drive_gain") != "identify")
      reader.fail("drive_gain", "a number in N m/A (joint side) or \"identify\" is expected");
    entry.identify_gain = true;
    return;
  }
  entry.drive_gain = reader.number("drive_gain");
  if (entry.drive_gain && *entry.drive_gain == 0.0)
    reader.fail("drive_gain", "is zero; give N m/A on the joint side, or \"identify\"");
}

RobotDescription::JointEntry readJoint(const std::string& name, TomlReader reader) {
  RobotDescription::JointEntry entry;
  entry.joint = name;
  entry.line = reader.line();
  readFriction(reader, entry);
  for (TomlReader& effect : reader.tables("position_effects"))
    entry.position_effects.push_back(readPositionEffect(std::move(effect)));
  entry.drive_inertia = reader.flag("drive_inertia");
  readGains(reader, entry);
  entry.passive = reader.flag("passive").value_or(false);
  entry.assembly = reader.number("assembly");
  for (const char* key :
       {"friction", "position_effects", "drive_inertia", "gear_ratio", "drive_gain"})
    entry.describes_drive = entry.describes_drive || reader.has(key);
  if (std::optional<TomlReader> limits = reader.table("limits")) {
    entry.position_limits = limits->interval("position");
    entry.velocity_limit = limits->positive("velocity");
    entry.acceleration_limit = limits->positive("acceleration");
    entry.effort_limit = limits->positive("effort");
    limits->finish();
  }
  reader.finish();
  return entry;
}

Eigen::MatrixXd readMatrix(TomlReader& reader, const char* key, size_t n) {
  const auto rows = reader.rows(key).value_or(std::vector<std::vector<double>>());
  bool square = rows.size() == n;
  for (const std::vector<double>& row : rows) square = square && row.size() == n;
  if (!square)
    reader.fail(key, fmt::format("{} rows of {} numbers are expected, as many as joints", n, n));
  Eigen::MatrixXd matrix(n, n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) matrix(i, j) = rows[i][j];
  const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  if (!(s(s.size() - 1) > kSingularCoupling * s(0)))
    reader.fail(key, "is singular; every joint needs an independent motion");
  return matrix;
}

RobotDescription::Transmission readTransmission(TomlReader reader) {
  RobotDescription::Transmission group;
  group.line = reader.line();
  group.joints = reader.texts("joints").value_or(std::vector<std::string>());
  const size_t n = group.joints.size();
  if (n == 0) reader.failHere("needs joints, as joints = [\"j5\", \"j6\"]");
  group.actuators = reader.texts("actuators").value_or(group.joints);
  if (group.actuators.size() != n)
    reader.fail("actuators", fmt::format("as many names as joints ({}) are expected", n));
  const bool direct = reader.has("matrix"), inverse = reader.has("coupling_matrix");
  if (direct == inverse)
    reader.failHere(
        std::string(direct ? "has both matrix and coupling_matrix; keep one"
                           : "needs matrix or coupling_matrix") +
        " (matrix T: q_joint = T q_actuator + offset; coupling_matrix C = inverse of T)");
  group.T = direct ? readMatrix(reader, "matrix", n)
                   : readMatrix(reader, "coupling_matrix", n).inverse().eval();
  group.offset = Eigen::VectorXd::Zero(n);
  if (const auto offset = reader.numbers("offset")) {
    if (offset->size() != n)
      reader.fail("offset", fmt::format("as many numbers as joints ({}) are expected", n));
    group.offset = Eigen::Map<const Eigen::VectorXd>(offset->data(), n);
  }
  group.measured_at_actuator = reader.word("measured", {"joint", "actuator"}).value_or(0) == 1;
  reader.finish();
  return group;
}

Transform readOrigin(TomlReader& loop, const char* key) {
  Transform X;
  if (std::optional<TomlReader> origin = loop.table(key)) {
    X.p = origin->vector3("xyz").value_or(Eigen::Vector3d::Zero());
    X.R = rotationFromRpy(origin->vector3("rpy").value_or(Eigen::Vector3d::Zero()));
    origin->finish();
  }
  return X;
}

RobotDescription::LoopEntry readLoop(TomlReader reader) {
  RobotDescription::LoopEntry loop;
  loop.line = reader.line();
  const std::optional<std::string> link_a = reader.text("link_a"), link_b = reader.text("link_b");
  if (!link_a || !link_b)
    reader.failHere("needs link_a and link_b, the two links that the cut joint connects");
  loop.link_a = *link_a;
  loop.link_b = *link_b;
  const std::optional<int> type =
      reader.word("type", {"revolute", "continuous", "prismatic", "spherical", "fixed"});
  if (!type) reader.failHere("needs a type: revolute, continuous, prismatic, spherical or fixed");
  constexpr Loop::Type kTypes[] = {Loop::Type::kRevolute,
                                   Loop::Type::kRevolute,
                                   Loop::Type::kPrismatic,
                                   Loop::Type::kSpherical,
                                   Loop::Type::kFixed};
  loop.type = kTypes[*type];
  loop.X_A = readOrigin(reader, "origin_a");
  loop.X_B = readOrigin(reader, "origin_b");
  if (const std::optional<Eigen::Vector3d> axis = reader.vector3("axis")) {
    if (!(axis->norm() > 0.0)) reader.fail("axis", "is zero; give a direction in origin_a");
    loop.axis = axis->normalized();
  }
  reader.finish();
  return loop;
}

}  // namespace

std::string faultOfGravity(const Eigen::Vector3d& gravity) {
  if (!(gravity.norm() > kLargestGravity)) return "";
  return fmt::format(
      "{:.4g} m/s^2 is more than on any planet; on Earth it is [0, 0, -9.81] if z of the root link "
      "points up",
      gravity.norm());
}

RobotDescription parseDescription(const std::string& text, const std::string& file) {
  RobotDescription description;
  description.file = file;
  const toml::table root = parseToml(text, file);
  TomlReader top(root, "", description.file);
  description.urdf = top.text("urdf").value_or("");
  description.mjcf = top.text("mjcf").value_or("");
  description.bodies_line = top.lineOf(top.has("mjcf") ? "mjcf" : "urdf");
  if (top.has("urdf") && top.has("mjcf"))
    top.fail("mjcf", "urdf and mjcf are both given; keep one");
  description.gravity = top.vector3("gravity");
  if (description.gravity)
    if (const std::string fault = faultOfGravity(*description.gravity); !fault.empty())
      top.fail("gravity", fault);
  if (const std::optional<int> base = top.word("base", {"fixed", "floating"}))
    description.floating_base = *base == 1;
  readIgnored(top, description);
  if (std::optional<TomlReader> robot = top.table("robot")) {
    description.total_mass = robot->interval("total_mass");
    if (description.total_mass && (*description.total_mass)[0] < 0.0)
      robot->fail("total_mass", "the lower bound is negative; masses are not");
    robot->finish();
  }
  for (auto& [name, reader] : top.namedTables("link"))
    description.links.push_back(readLink(name, std::move(reader)));
  for (auto& [name, reader] : top.namedTables("joint"))
    description.joints.push_back(readJoint(name, std::move(reader)));
  if (std::optional<TomlReader> payload = top.table("payload")) {
    const std::optional<std::string> link = payload->text("link");
    payload->finish();
    if (!link) payload->failHere("needs link, the link to which the payload of a log is fixed");
    description.payload = RobotDescription::Payload{*link, payload->line()};
  }
  for (TomlReader& group : top.tables("transmission"))
    description.transmissions.push_back(readTransmission(std::move(group)));
  for (TomlReader& loop : top.tables("loop"))
    description.loops.push_back(readLoop(std::move(loop)));
  readSurroundings(top);  // checks only; the content is read by surroundingsOf
  top.finish();
  return description;
}

}  // namespace dynid
