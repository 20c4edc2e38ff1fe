#include "dynid/regression/base_parameters.h"

#include "dynid/core/parallel.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/projection.h"
#include "dynid/kernels/dense.h"
#include "dynid/math/independent_columns.h"
#include "dynid/regression/right_angles.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <stdexcept>
#include <utility>

namespace dynid {
namespace {

// Coefficients of K below this magnitude are left out of the printed expressions (K keeps them): in
// kg or m they are smaller than anything a user can interpret.
constexpr double kReadable = 1e-9;

// Base parameters of a group of columns that have no row in common with the others.
struct GroupBase {
  std::vector<int> independent, dependent;  // columns of all rows
  Eigen::MatrixXd K;                        // [independent x dependent], for columns of unit norm
  // Distances from the span of the columns before, relative to the norm
  double smallest_kept = std::numeric_limits<double>::infinity(), largest_rejected = 0.0;
};

// @param norms  of all columns
// @param group  nonzero columns, in the order in which they are tested
GroupBase groupBase(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                    const std::vector<Eigen::Index>& group,
                    const Eigen::VectorXd& norms,
                    double tolerance) {
  const auto columns = std::ssize(group);
  Eigen::MatrixXd scaled = rows(rowsWithEntries(rows, group), group);
  scaled *= norms(group).cwiseInverse().asDiagonal();
  const Eigen::MatrixXd factor = denseUpperFactor(std::move(scaled));
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(columns, columns);
  R.topRows(factor.rows()) = factor;
  GroupBase found;
  std::vector<Eigen::Index> kept, rejected;  // places in the group
  // Orthonormal basis of the kept columns; like R, without entries below the diagonal of R.
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(columns, columns);
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(columns, columns);  // coordinates of all columns in Q
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Eigen::Index rank = std::ssize(kept);
    Eigen::VectorXd column = R.col(j).head(j + 1);
    const auto basis = Q.topLeftCorner(j + 1, rank);
    for (int pass = 0; pass < 2; ++pass) {  // orthogonalise twice (Kahan's "twice is enough")
      const Eigen::VectorXd along = basis.transpose() * column;
      column -= basis * along;
      C.col(j).head(rank) += along;
    }
    const double distance = column.norm();
    if (distance <= tolerance) {
      rejected.push_back(j);
      found.dependent.push_back(static_cast<int>(group[j]));
      found.largest_rejected = std::max(found.largest_rejected, distance);
      continue;
    }
    Q.col(rank).head(j + 1) = column / distance;
    C(rank, j) = distance;
    kept.push_back(j);
    found.independent.push_back(static_cast<int>(group[j]));
    found.smallest_kept = std::min(found.smallest_kept, distance);
  }
  const Eigen::Index rank = std::ssize(kept);
  const Eigen::MatrixXd of_kept = C(Eigen::all, kept).topRows(rank);
  found.K = C(Eigen::all, rejected).topRows(rank);
  // Eigen forms a reference to the first element, which an empty matrix does not have.
  if (found.K.size() > 0) of_kept.triangularView<Eigen::Upper>().solveInPlace(found.K);
  return found;
}

// Sets coefficients of K to zero that are below the rounding error of the decision itself. The
// comparison is made for columns of unit norm.
void dropNegligible(BaseParameters& base, const Eigen::VectorXd& norm) {
  const double negligible = std::max(1e-13, 4.0 * base.largest_rejected);
  for (Eigen::Index d = 0; d < base.K.cols(); ++d) {
    for (Eigen::Index i = 0; i < base.K.rows(); ++i) {
      const double scale = norm(base.independent[i]) / norm(base.dependent[d]);
      if (std::abs(base.K(i, d)) * scale < negligible) base.K(i, d) = 0.0;
    }
  }
}

// Places of some elements of a sorted list.
std::vector<Eigen::Index> placesIn(const std::vector<int>& sorted, const std::vector<int>& some) {
  std::vector<Eigen::Index> places;
  for (const int element : some)
    places.push_back(std::lower_bound(sorted.begin(), sorted.end(), element) - sorted.begin());
  return places;
}

// The results of std::uniform_real_distribution may differ between standard libraries; this gives
// the same numbers everywhere.
double uniform(std::mt19937_64& rng, double lower, double upper) {
  return lower + (upper - lower) * (static_cast<double>(rng() >> 11) * 0x1.0p-53);
}

// Random position within the joint limits. For a robot with loops: one at which the loops close.
Eigen::VectorXd drawPosition(std::mt19937_64& rng, const Robot& robot) {
  const int n = robot.numJoints();
  Eigen::VectorXd q(n);
  for (int j = 0; j < n; ++j) {
    const Joint& joint = robot.joints[j];
    double middle = 0.0, half = joint.prismatic ? 1.0 : std::numbers::pi;
    if (std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper)) {
      middle = 0.5 * (joint.limits.lower + joint.limits.upper);
      half = std::max(0.5, 0.5 * (joint.limits.upper - joint.limits.lower));
    }
    q(j) = uniform(rng, middle - half, middle + half);
  }
  return q;
}

// A random state at both sides of the transmission; with `still` only the position is random.
RandomState drawState(std::mt19937_64& rng,
                      const Robot& robot,
                      const RandomStates& states,
                      const Eigen::MatrixXd& from_joints) {
  const int n = robot.numJoints();
  RandomState state;
  state.q = closablePosition(robot, [&] { return drawPosition(rng, robot); });
  state.dq = state.ddq = Eigen::VectorXd::Zero(n);
  for (int j = 0; j < n && !states.at_rest; ++j) {
    state.dq(j) = uniform(rng, -states.velocity, states.velocity);
    state.ddq(j) = uniform(rng, -states.acceleration, states.acceleration);
  }
  state.q_actuator = from_joints * (state.q - robot.transmission_offset);
  state.dq_actuator = from_joints * state.dq;
  state.ddq_actuator = from_joints * state.ddq;
  return state;
}

// Enough states for the rank: half as many again as would determine the columns of any joint alone
// or all columns together, and fifty for those that few states excite.
int enoughStates(const ParameterLayout& layout, Eigen::Index joints) {
  std::vector<int> of_joint(joints + 1);
  for (int c = 0; c < layout.size(); ++c)
    ++of_joint[std::clamp<Eigen::Index>(layout[c].owner, 0, joints)];
  const auto mean = static_cast<int>(layout.size() / std::max<Eigen::Index>(1, joints));
  return 50 + 3 * std::max(mean, *std::max_element(of_joint.begin(), of_joint.end())) / 2;
}

}  // namespace

Eigen::MatrixXd BaseParameters::combination() const {
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(rank, columns);
  for (size_t i = 0; i < independent.size(); ++i) E(i, independent[i]) = 1.0;
  for (size_t d = 0; d < dependent.size(); ++d) E.col(dependent[d]) = K.col(d);
  return E;
}

std::string BaseParameters::expression(int i, const ParameterLayout& layout) const {
  std::string text = layout[independent.at(i)].name;
  for (Eigen::Index d = 0; d < std::ssize(dependent); ++d) {
    const double k = K(i, d);
    if (std::abs(k) < kReadable) continue;
    const std::string size = toText(std::abs(k), 6);
    text += k < 0.0 ? " - " : " + ";
    if (size != "1") text += size + " ";
    text += layout[dependent[d]].name;
  }
  return text;
}

BaseParameters baseParameters(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                              double tolerance,
                              int threads,
                              const std::vector<int>& first) {
  if (rows.rows() < rows.cols())
    throw std::invalid_argument("the regressor has " + std::to_string(rows.rows()) + " rows of " +
                                std::to_string(rows.cols()) +
                                " columns; expected at least as many rows");
  if (!rows.allFinite())
    throw std::invalid_argument("a row of the regressor is not finite; expected finite numbers");

  const Eigen::VectorXd norms = rows.colwise().norm();
  const double smallest_norm = norms.size() > 0 ? tolerance * norms.maxCoeff() : 0.0;
  BaseParameters base;
  base.columns = static_cast<int>(rows.cols());
  base.smallest_kept = std::numeric_limits<double>::infinity();
  for (int j = 0; j < base.columns; ++j)
    if (norms(j) <= smallest_norm) base.unidentifiable.push_back(j);
  // The rows of limbs that branch off a fixed base have no columns in common.
  std::vector<std::vector<Eigen::Index>> columns = independentColumns(rows);
  for (std::vector<Eigen::Index>& group : columns)
    std::erase_if(group, [&](Eigen::Index j) { return norms(j) <= smallest_norm; });
  std::erase_if(columns, [](const std::vector<Eigen::Index>& group) { return group.empty(); });
  for (std::vector<Eigen::Index>& group : columns)
    std::stable_partition(group.begin(), group.end(), [&](Eigen::Index j) {
      return std::find(first.begin(), first.end(), j) != first.end();
    });
  std::vector<GroupBase> groups(columns.size());
  parallelFor(static_cast<int>(groups.size()), threads, [&](int g) {
    groups[g] = groupBase(rows, columns[g], norms, tolerance);
  });
  for (const GroupBase& group : groups) {
    base.smallest_kept = std::min(base.smallest_kept, group.smallest_kept);
    base.largest_rejected = std::max(base.largest_rejected, group.largest_rejected);
    base.independent.insert(
        base.independent.end(), group.independent.begin(), group.independent.end());
    base.dependent.insert(base.dependent.end(), group.dependent.begin(), group.dependent.end());
  }
  std::sort(base.independent.begin(), base.independent.end());
  std::sort(base.dependent.begin(), base.dependent.end());
  base.rank = static_cast<int>(base.independent.size());
  base.gap = base.largest_rejected > 0.0 ? base.smallest_kept / base.largest_rejected
                                         : std::numeric_limits<double>::infinity();
  base.K = Eigen::MatrixXd::Zero(base.rank, std::ssize(base.dependent));
  for (const GroupBase& group : groups)
    base.K(placesIn(base.independent, group.independent),
           placesIn(base.dependent, group.dependent)) =
        norms(group.independent).cwiseInverse().asDiagonal() * group.K *
        norms(group.dependent).asDiagonal();
  dropNegligible(base, norms);
  return base;
}

void RandomStates::check() const {
  const auto fail =
      [](const std::string& field, const std::string& got, const std::string& expected) {
        throw std::invalid_argument("`" + field + "` is " + got + "; expected " + expected);
      };
  if (samples < 0) fail("samples", std::to_string(samples), "a count, or 0 for enough");
  if (!(velocity > 0.0) || !std::isfinite(velocity))
    fail("velocity", toText(velocity), "a positive bound");
  if (!(acceleration > 0.0) || !std::isfinite(acceleration))
    fail("acceleration", toText(acceleration), "a positive bound");
  if (!(right_angle >= 0.0 && right_angle < 0.1))
    fail("right_angle", toText(right_angle), "0 to 0.1 rad");
}

Eigen::MatrixXd randomStateRows(const Robot& robot,
                                const ParameterLayout& layout,
                                const RandomStates& states,
                                const StateColumns& other) {
  states.check();
  for (int c = 0; c < layout.size(); ++c)
    if (layout[c].kind != ColumnKind::kInertial && layout[c].kind != ColumnKind::kDriveInertia &&
        !other)
      throw std::invalid_argument("no function computes column \"" + layout[c].name +
                                  "\"; expected one that fills it");
  const auto cleaned = std::make_shared<const Robot>(withRightAngles(robot, states.right_angle));
  const Eigen::Index actuators = robot.T.cols();
  const int samples = states.samples > 0 ? states.samples : enoughStates(layout, actuators);
  const Eigen::MatrixXd from_joints = robot.T.inverse();
  std::mt19937_64 rng(states.seed);
  std::vector<RandomState> drawn;
  for (int s = 0; s < samples; ++s) drawn.push_back(drawState(rng, robot, states, from_joints));
  Eigen::MatrixXd rows(samples * actuators, layout.size());
  const int parts = std::clamp(states.threads, 1, samples);
  parallelFor(parts, parts, [&](int part) {
    ProjectionRegressor regressor(cleaned);
    for (int s = part; s < samples; s += parts) {
      const RandomState& state = drawn[s];
      const Eigen::MatrixXd Y = robot.T.transpose() * regressor.dense(state.q, state.dq, state.ddq);
      auto block = rows.middleRows(s * actuators, actuators);
      block.setZero();
      for (int c = 0; c < layout.size(); ++c) {
        const Column& column = layout[c];
        if (column.kind == ColumnKind::kInertial)
          block.col(c) = Y.col(Eigen::Index{10} * column.owner + column.component);
        else if (column.kind == ColumnKind::kDriveInertia)
          block(column.owner, c) = state.ddq_actuator(column.owner);
      }
      if (other) other(state, block);
    }
  });
  return rows;
}

}  // namespace dynid
