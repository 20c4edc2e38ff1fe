#include "dynid/excitation/space.h"

#include "dynid/core/few_words.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/kinematics.h"
#include "dynid/math/random_stream.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

namespace dynid {
namespace {

constexpr int kRandomPostures = 256;  // random postures, to find gaps that never open
constexpr int kClimbs = 16;           // of these, starts of the search for the largest gap
constexpr int kAscentSteps = 60;
constexpr double kUnchanged = 1e-6;  // [m] smaller changes of a gap are rounding errors
// [m] two links with less room would hardly allow their joints to move
constexpr double kRoom = 0.02;
constexpr double kThinLink = 0.05;  // [m]

struct Place {
  int body = -1;
  Transform X;
};

Place placeOf(const Robot& robot, const std::string& link) {
  for (const Body::FixedLink& fixed : robot.root_links)
    if (fixed.name == link) return {-1, fixed.X_BL};
  const auto [body, X] = robot.findLink(link);
  return {body, X};
}

int parentOf(const Robot& robot, int body) { return body < 0 ? -2 : robot.bodies[body].parent; }

}  // namespace

Space::Space(std::shared_ptr<const Robot> robot,
             const SpaceOptions& options,
             const Eigen::VectorXd& lower,
             const Eigen::VectorXd& upper,
             const Eigen::VectorXd& posture)
    : robot_(std::move(robot)), surroundings_(options.surroundings), clearance_(options.clearance) {
  options.check();
  collectCapsules(options);
  collectGaps();
  leaveOut(lower, upper, posture);
  boundReach(lower, upper);
}

void Space::leaveOut(const Eigen::VectorXd& lower,
                     const Eigen::VectorXd& upper,
                     const Eigen::VectorXd& posture) {
  const std::string close = "not checked, since " + std::to_string(kRandomPostures) +
                            " random postures do not keep them apart by 0.02 m more than the "
                            "clearance: ",
                    touching =
                        "not checked, since they touch at the start (or in the middle of the "
                        "ranges): ",
                    fixed = "not checked, since they touch and no joint changes their distance: ";
  Eigen::VectorXd values, widest = Eigen::VectorXd::Constant(count(), -kInfinity);
  std::vector<Eigen::VectorXd> best(count()), postures;
  RandomStream random(1, 0);
  for (int i = 0; i < kRandomPostures; ++i) {
    Eigen::VectorXd q(lower.size());
    for (Eigen::Index j = 0; j < q.size(); ++j) q(j) = random.uniform(lower(j), upper(j));
    evaluate(q, values, nullptr);
    for (int g = 0; g < count(); ++g)
      if (values(g) > widest(g)) best[g] = q;
    widest = widest.cwiseMax(values);
    postures.push_back(q);
  }
  evaluate(posture, values, nullptr);
  std::vector<std::string> why(count());  // "": the gap is kept
  std::vector<std::pair<double, int>> unmet;
  for (int g = 0; g < count(); ++g) {
    if (isSelf(g)) {
      if (widest(g) < clearance_ + kRoom)
        why[g] = close;
      else if (values(g) < clearance_)
        why[g] = touching;
      continue;
    }
    if (widest(g) >= clearance_) continue;
    if (!changes(g, postures)) {
      why[g] = fixed;
      continue;
    }
    std::vector<Eigen::VectorXd> starts(postures.begin(), postures.begin() + kClimbs);
    starts.push_back(best[g]);
    const double found = widestGap(g, lower, upper, starts);
    if (found < clearance_) unmet.emplace_back(found, g);
  }
  describeUnmet(std::move(unmet));
  for (const std::string& reason : {close, touching, fixed}) {
    std::set<std::string> names;
    for (int g = 0; g < count(); ++g)
      if (why[g] == reason) names.insert(name(g));
    left_out_.insert(left_out_.end(), names.begin(), names.end());
    if (!names.empty())
      notes_.push_back(reason + join(std::vector<std::string>(names.begin(), names.end())));
  }
  std::vector<Gap> kept;
  for (int g = 0; g < count(); ++g)
    if (why[g].empty()) kept.push_back(gaps_[g]);
  gaps_ = kept;
}

/// One sentence per obstacle: about the link that stays nearest to it or deepest in it.
void Space::describeUnmet(std::vector<std::pair<double, int>> distances) {
  std::sort(distances.begin(), distances.end());
  std::map<std::pair<Kind, int>, std::set<std::string>> told;  // names by kind and box
  const auto obstacle = [&](int gap) {
    return std::make_pair(gaps_[gap].kind, gaps_[gap].kind == Kind::kBox ? gaps_[gap].b : 0);
  };
  for (const auto& [distance, gap] : distances) told[obstacle(gap)].insert(name(gap));
  for (const auto& [distance, gap] : distances) {
    const auto found = told.find(obstacle(gap));
    if (found == told.end()) continue;
    std::set<std::string> others = std::move(found->second);
    told.erase(found);
    others.erase(name(gap));
    std::string likewise;
    if (!others.empty())
      likewise =
          " (also too near: " + joinFew(std::vector<std::string>(others.begin(), others.end())) +
          ")";
    unmet_.push_back(name(gap) +
                     ": the largest distance found in any posture within the limits is " +
                     toText(distance, 3) + " m, expected at least the clearance " +
                     toText(clearance_, 3) + " m" + likewise + "; " + remedy(gap));
  }
}

/// Whether a joint moves the capsule of a gap towards or away from its obstacle. Inside a box the
/// distance of the capsule may be constant while one of its ends moves.
bool Space::changes(int gap, const std::vector<Eigen::VectorXd>& postures) const {
  const Gap& g = gaps_[gap];
  if (g.kind == Kind::kWorkspace) return true;
  const Capsule& capsule = capsules_[g.a];
  Eigen::Vector2d least = Eigen::Vector2d::Constant(kInfinity), most = -least;
  for (const Eigen::VectorXd& q : postures) {
    const Transform X = bodyPoses(*robot_, q)[capsule.body];
    Eigen::Vector2d distances;
    for (int end = 0; end < 2; ++end) {
      const Eigen::Vector3d p = X * (end == 0 ? capsule.axis.from : capsule.axis.to);
      if (g.kind == Kind::kGround) {
        distances(end) = end == g.b ? p.z() : 0.0;
        continue;
      }
      const Surroundings::Box& box = surroundings_.boxes[g.b];
      const Eigen::Vector3d local = box.R.transpose() * (p - box.center);
      distances(end) = nearestToBox({local, local}, box.half).distance;
    }
    least = least.cwiseMin(distances);
    most = most.cwiseMax(distances);
  }
  return (most - least).maxCoeff() > kUnchanged;
}

/// The largest value of a gap found by projected gradient ascent.
double Space::widestGap(int gap,
                        const Eigen::VectorXd& lower,
                        const Eigen::VectorXd& upper,
                        const std::vector<Eigen::VectorXd>& starts) const {
  const Eigen::VectorXd range = upper - lower;
  Eigen::VectorXd values, moved_values;
  Eigen::MatrixXd slopes;
  double widest = -kInfinity;
  for (Eigen::VectorXd q : starts) {
    double step = 0.25;  // share of the ranges
    evaluate(q, values, &slopes);
    for (int i = 0; i < kAscentSteps && step > 1e-4; ++i) {
      const Eigen::VectorXd slope = slopes.row(gap).transpose().cwiseProduct(range);
      const double size = slope.norm();
      if (!(size > 0.0)) break;
      const Eigen::VectorXd moved =
          (q + step / size * slope.cwiseProduct(range)).cwiseMax(lower).cwiseMin(upper);
      evaluate(moved, moved_values, nullptr);
      if (moved_values(gap) > values(gap)) {
        q = moved;
        step *= 1.5;
        evaluate(q, values, &slopes);
      } else {
        step *= 0.5;
      }
    }
    widest = std::max(widest, values(gap));
    if (widest >= clearance_) break;
  }
  return widest;
}

std::string Space::remedy(int gap) const {
  switch (gaps_[gap].kind) {
    case Kind::kBox:
      return "move or shrink the box ([[obstacle.box]] in the description), or correct the "
             "capsules ([collision], `link_radius`), the position limits or `clearance`";
    case Kind::kGround:
      return "lower `height` ([ground] in the description, z of the root link's frame), or correct "
             "the capsules ([collision], `link_radius`), the position limits or `clearance`";
    case Kind::kWorkspace:
      return "correct `lower` and `upper` ([workspace] in the description, root link's frame), the "
             "position limits or `clearance`";
    case Kind::kSelf:
      break;
  }
  return "correct the capsules ([collision] in the description, `link_radius`)";
}

void Space::collectCapsules(const SpaceOptions& options) {
  for (const Surroundings::Capsule& given : surroundings_.capsules) {
    const Place place = placeOf(*robot_, given.link);
    capsules_.push_back(
        {given.link, place.body, {place.X * given.from, place.X * given.to}, given.radius});
  }
  if (surroundings_.capsules.empty()) {
    const double radius = options.link_radius > 0.0 ? options.link_radius : kThinLink;
    const auto fit = [&](const std::string& name, int body, const Eigen::Vector3d& to) {
      if (to.norm() > 1e-6)
        capsules_.push_back({name, body, {Eigen::Vector3d::Zero(), to}, radius});
    };
    for (int k = 0; k < robot_->numBodies(); ++k) {
      const Body& body = robot_->bodies[k];
      const bool root = body.parent < 0;
      fit(root ? robot_->root_link : robot_->bodies[body.parent].name, body.parent, body.X_PJ.p);
      for (const Body::FixedLink& link : body.links) fit(body.name, k, link.X_BL.p);
    }
    notes_.push_back(
        "no collision capsules in the description: fitted between the joints, radius " +
        toText(radius) + " m");
  }
  if (surroundings_.workspace) {
    const Place place = placeOf(*robot_, surroundings_.workspace->link);
    tool_ = static_cast<int>(capsules_.size());
    capsules_.push_back({surroundings_.workspace->link, place.body, {place.X.p, place.X.p}, 0.0});
  }
}

bool Space::neighbours(const Capsule& a, const Capsule& b) const {
  return a.body == b.body || parentOf(*robot_, a.body) == b.body ||
         parentOf(*robot_, b.body) == a.body;
}

bool Space::mayTouch(const std::string& a, const std::string& b) const {
  return std::any_of(surroundings_.ignored_pairs.begin(),
                     surroundings_.ignored_pairs.end(),
                     [&](const std::array<std::string, 2>& pair) {
                       return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
                     });
}

void Space::collectGaps() {
  const int solids = static_cast<int>(capsules_.size()) - (tool_ >= 0 ? 1 : 0);
  for (int a = 0; a < solids; ++a) {
    const Capsule& one = capsules_[a];
    for (int b = a + 1; b < solids; ++b) {
      const Capsule& other = capsules_[b];
      if (!neighbours(one, other) && !mayTouch(one.name, other.name))
        gaps_.push_back({Kind::kSelf, a, b});
    }
    if (one.body < 0) continue;
    for (int box = 0; box < std::ssize(surroundings_.boxes); ++box)
      gaps_.push_back({Kind::kBox, a, box});
    if (!surroundings_.ground) continue;
    gaps_.push_back({Kind::kGround, a, 0});
    if (one.axis.from != one.axis.to) gaps_.push_back({Kind::kGround, a, 1});
  }
  if (tool_ < 0) return;
  for (int face = 0; face < 6; ++face) gaps_.push_back({Kind::kWorkspace, tool_, face});
}

std::string Space::name(int gap) const {
  const Gap& g = gaps_[gap];
  const std::string& a = capsules_[g.a].name;
  switch (g.kind) {
    case Kind::kSelf:
      return a + " and " + capsules_[g.b].name;
    case Kind::kBox:
      return a + " and box " + surroundings_.boxes[g.b].name;
    case Kind::kGround:
      return a + " and the ground";
    case Kind::kWorkspace:
      break;
  }
  return a + " and the " + (g.b % 2 == 0 ? "lower " : "upper ") + std::string(1, "xyz"[g.b / 2]) +
         " face of its workspace";
}

void Space::addSlope(int body,
                     const Eigen::Vector3d& point,
                     const Eigen::Vector3d& direction,
                     const std::vector<Transform>& poses,
                     Eigen::Ref<Eigen::RowVectorXd> slope) const {
  for (int k = body; k >= 0; k = robot_->bodies[k].parent) {
    const Body& moved = robot_->bodies[k];
    const Transform& X = poses[k];
    const Eigen::Vector3d axis = X.R * moved.axis;
    const Eigen::Vector3d rate = moved.prismatic ? axis : Eigen::Vector3d(axis.cross(point - X.p));
    slope(moved.joint) += moved.multiplier * direction.dot(rate);
  }
}

void Space::evaluate(const Eigen::VectorXd& q,
                     Eigen::VectorXd& values,
                     Eigen::MatrixXd* slopes) const {
  const std::vector<Transform> poses = bodyPoses(*robot_, q);
  std::vector<LineSegment> axes;
  for (const Capsule& capsule : capsules_) {
    if (capsule.body < 0) {
      axes.push_back(capsule.axis);
      continue;
    }
    const Transform& X = poses[capsule.body];
    axes.push_back({X * capsule.axis.from, X * capsule.axis.to});
  }
  values.resize(count());
  if (slopes != nullptr) slopes->setZero(count(), q.size());
  for (int g = 0; g < count(); ++g) {
    const Gap& gap = gaps_[g];
    const Capsule& capsule = capsules_[gap.a];
    const LineSegment& axis = axes[gap.a];
    Nearest found;
    int other = -1;
    if (gap.kind == Kind::kSelf) {
      found = nearest(axis, axes[gap.b]);
      found.distance -= capsules_[gap.b].radius;
      other = capsules_[gap.b].body;
    } else if (gap.kind == Kind::kBox) {
      const Surroundings::Box& box = surroundings_.boxes[gap.b];
      const auto local = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d {
        return box.R.transpose() * (p - box.center);
      };
      found = nearestToBox({local(axis.from), local(axis.to)}, box.half);
      found.a = box.center + box.R * found.a;
      found.normal = box.R * found.normal;
    } else if (gap.kind == Kind::kGround) {
      found.a = gap.b == 0 ? axis.from : axis.to;
      found.normal = Eigen::Vector3d::UnitZ();
      found.distance = found.a.z() - *surroundings_.ground;
    } else {
      const int i = gap.b / 2;
      const bool lower = gap.b % 2 == 0;
      found.a = axis.from;
      found.normal = (lower ? 1.0 : -1.0) * Eigen::Vector3d::Unit(i);
      found.distance = lower ? axis.from(i) - surroundings_.workspace->lower(i)
                             : surroundings_.workspace->upper(i) - axis.from(i);
    }
    values(g) = found.distance - capsule.radius;
    if (slopes == nullptr) continue;
    Eigen::RowVectorXd slope = Eigen::RowVectorXd::Zero(q.size());
    addSlope(capsule.body, found.a, found.normal, poses, slope);
    addSlope(other, found.b, -found.normal, poses, slope);
    slopes->row(g) = slope;
  }
}

std::pair<double, int> Space::smallest(const Eigen::VectorXd& q) const {
  Eigen::VectorXd values;
  evaluate(q, values, nullptr);
  if (values.size() == 0) return {INFINITY, -1};
  Eigen::Index at = 0;
  const double value = values.minCoeff(&at);
  return {value, static_cast<int>(at)};
}

void Space::boundReach(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  reach_.setZero(count(), robot_->numJoints());
  const auto travel = [&](const Body& body) {
    if (!body.prismatic) return 0.0;
    return std::max(std::abs(body.multiplier * lower(body.joint) + body.offset),
                    std::abs(body.multiplier * upper(body.joint) + body.offset));
  };
  // Adds the effect of the joints between `body` and `ancestor` on the points of a segment.
  const auto add = [&](int body, const LineSegment& axis, int ancestor, Eigen::Index row) {
    // Largest distance of the points from the origin of the current body. Only for the first joint
    // the distance is measured perpendicular to its axis.
    Eigen::Vector3d from = axis.from, to = axis.to;
    double beyond = 0.0;
    for (int k = body; k != ancestor; k = robot_->bodies[k].parent) {
      const Body& moved = robot_->bodies[k];
      const auto square = [&](const Eigen::Vector3d& p) { return moved.axis.cross(p).norm(); };
      const double lever = std::max(square(from), square(to)) + beyond;
      reach_(row, moved.joint) += std::abs(moved.multiplier) * (moved.prismatic ? 1.0 : lever);
      beyond += std::max(from.norm(), to.norm()) + travel(moved);
      from = to = moved.X_PJ.p;
    }
  };
  const auto chain = [&](int body) {
    std::vector<int> bodies;
    for (int k = body; k >= 0; k = robot_->bodies[k].parent) bodies.push_back(k);
    bodies.push_back(-1);
    return bodies;
  };
  for (int g = 0; g < count(); ++g) {
    const Gap& gap = gaps_[g];
    const Capsule& a = capsules_[gap.a];
    if (gap.kind != Kind::kSelf) {
      add(a.body, a.axis, -1, g);
      continue;
    }
    const Capsule& b = capsules_[gap.b];
    const std::vector<int> of_a = chain(a.body), of_b = chain(b.body);
    const int common = *std::find_first_of(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
    add(a.body, a.axis, common, g);
    add(b.body, b.axis, common, g);
  }
}

}  // namespace dynid
