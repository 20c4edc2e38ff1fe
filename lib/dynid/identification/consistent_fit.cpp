#include "dynid/identification/consistent_fit.h"

#include "dynid/consistency/bounds.h"
#include "dynid/dynamics/friction_resistance.h"
#include "dynid/math/outside_span.h"
#include "dynid/math/sparse_product.h"
#include "dynid/robot/plausibility.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dynid {
namespace {

// A known payload is bounded to an interval of a thousandth (accuracy of a scale), because an
// equality would leave the problem without an interior.
constexpr double kKnownTolerance = 1e-3;

// A scalar whose whitened column is shorter is not seen by the logs: a joint that rests has
// friction and drive inertia of any size. It is 0, because nothing would hold it in the interior of
// the constraints.
constexpr double kNotSeen = 1e-6;

// Columns of the layout in the order of the physical fit: bodies with mass, payload bodies,
// nonnegative scalars, free scalars.
struct Order {
  std::vector<int> columns;
  std::vector<int> links;  // the robot's bodies that have mass
  int bodies = 0, nonnegative = 0, free = 0;
};

Order orderColumns(const Robot& robot,
                   const ParameterLayout& layout,
                   const std::vector<Payload>& payloads,
                   const Eigen::MatrixXd& R) {
  Order order;
  for (int k = 0; k < robot.numBodies(); ++k)
    if (!robot.bodies[k].massless) order.links.push_back(k);
  std::vector<int> loads, nonnegative, free;
  for (int c = 0; c < layout.size(); ++c) {
    switch (layout[c].kind) {
      case ColumnKind::kInertial:
        if (!robot.bodies[layout[c].owner].massless) order.columns.push_back(c);
        break;
      case ColumnKind::kPayload:
        loads.push_back(c);
        break;
      default:
        if (R.col(c).norm() < kNotSeen) break;  // nor one that is not selected
        (layout[c].nonnegative ? nonnegative : free).push_back(c);
    }
  }
  order.bodies = static_cast<int>(order.links.size() + payloads.size());
  order.nonnegative = static_cast<int>(nonnegative.size());
  order.free = static_cast<int>(free.size());
  for (const std::vector<int>* columns : {&loads, &nonnegative, &free})
    order.columns.insert(order.columns.end(), columns->begin(), columns->end());
  return order;
}

// Without a known scale only bounds that do not depend on it: centre of mass and ellipsoid.
void addLinkBounds(const Robot& robot, const Order& order, PhysicalFitProblem& problem) {
  for (int k = 0; k < std::ssize(order.links); ++k) {
    const Body& body = robot.bodies[order.links[k]];
    std::vector<BodyBound> bounds;
    const auto append = [&](const std::vector<BodyBound>& more) {
      bounds.insert(bounds.end(), more.begin(), more.end());
    };
    if (body.bounds.mass && problem.scale_known)
      append(massBounds(body.name, (*body.bounds.mass)[0], (*body.bounds.mass)[1]));
    if (body.bounds.com_box)
      append(comBoxBounds(body.name, (*body.bounds.com_box)[0], (*body.bounds.com_box)[1]));
    if (body.bounds.ellipsoid)
      bounds.push_back(
          ellipsoidBound(body.name, body.bounds.ellipsoid->center, body.bounds.ellipsoid->radii));
    for (const BodyBound& bound : bounds) addBodyBound(problem, k, bound);
  }
  if (robot.total_mass && problem.scale_known) {
    std::vector<int> all(order.links.size());
    std::iota(all.begin(), all.end(), 0);
    addTotalMassBounds(problem, all, (*robot.total_mass)[0], (*robot.total_mass)[1]);
  }
}

void addKnownLoads(const Order& order,
                   const std::vector<Payload>& payloads,
                   PhysicalFitProblem& problem) {
  for (int p = 0; p < std::ssize(payloads); ++p) {
    const Payload& payload = payloads[p];
    const int body = static_cast<int>(order.links.size()) + p;
    const double mass = std::isfinite(payload.known(0)) ? payload.known(0) : 1.0;
    const Eigen::Vector3d reach{0.05, 0.05, 0.05};  // [m] scale of entries that are near zero
    for (int c = 0; c < 10; ++c) {
      if (!std::isfinite(payload.known(c))) continue;
      const double scale = c == 0 ? mass
                           : c <= 3
                               ? std::max(std::abs(payload.known(c)), mass * reach(0))
                               : std::max(std::abs(payload.known(c)), mass * reach.squaredNorm());
      BodyBound bound;
      bound.name = payload.name + "." + std::string(kInertialNames[c]);
      bound.row = InertialParameters::Unit(c);
      bound.limit = payload.known(c) + kKnownTolerance * scale;
      addBodyBound(problem, body, bound);
      bound.row = -bound.row;
      bound.limit = -(payload.known(c) - kKnownTolerance * scale);
      addBodyBound(problem, body, bound);
    }
  }
}

// Adds a passive group for every actuator that has a dissipative friction term with a parameter of
// free sign. The group contains all dissipative terms of the actuator, and bounds the height of
// Stribeck curves. Without such a parameter friction is passive because its parameters are
// nonnegative.
void addPassiveFriction(const Robot& robot,
                        const ParameterLayout& layout,
                        const Order& order,
                        PhysicalFitProblem& problem) {
  const Eigen::VectorXd highest = highestActuatorSpeeds(robot);
  for (int a = 0; a < std::ssize(robot.drives); ++a) {
    PassiveGroup group;
    std::vector<Column> columns;
    bool free = false;
    for (int i = 0; i < std::ssize(order.columns); ++i) {
      const Column& column = layout[order.columns[i]];
      if (!isDissipative(column) || column.at_joint || column.owner != a) continue;
      group.columns.push_back(i);
      columns.push_back(column);
      free |= !column.nonnegative;
    }
    if (!free) continue;
    group.name = kFrictionBound + robot.drives[a].name;
    group.speeds = frictionSpeeds(highest(a));
    const Eigen::MatrixXd margin = stribeckMargin(columns);
    group.rows.resize(group.speeds.size() + margin.rows(), margin.cols());
    group.rows << frictionResistance(columns, group.speeds), margin;
    group.further.assign(margin.rows(), kStribeckBound + robot.drives[a].name);
    problem.passive.push_back(std::move(group));
  }
}

// Weights of the prior at zero for springs, counterbalances and other position effects: rms of the
// whitened column / rms of the whitened effort, so that all effects are measured by their effort.
Eigen::VectorXd freePrior(const ParameterLayout& layout,
                          const Order& order,
                          const PhysicalFitProblem& problem) {
  Eigen::VectorXd prior = Eigen::VectorXd::Zero(problem.free);
  const double effort = std::sqrt(problem.z.squaredNorm() + problem.residual_squared);
  for (Eigen::Index j = 0; j < problem.free; ++j) {
    const Eigen::Index place = std::ssize(order.columns) - problem.free + j;
    const Column& column = layout[order.columns[place]];
    if (column.kind == ColumnKind::kPosition && effort > 0.0)
      prior(j) = problem.R.col(place).norm() / effort;
  }
  return prior;
}

// Results per body of the problem become results per body of the robot, then per payload: the mass
// of a massless body counts as known from the data, and its multiplier is zero.
void includeMassless(const Robot& robot, const std::vector<int>& links, PhysicalFitResult& result) {
  const auto expand = [&](auto& values, double known) {
    if (values.size() == 0) return;
    auto all = values;
    const auto payloads = static_cast<Eigen::Index>(values.size()) - std::ssize(links);
    all.resize(robot.numBodies() + payloads);
    std::fill(all.begin(), all.end(), known);
    for (Eigen::Index i = 0; i < std::ssize(links); ++i) all[links[i]] = values[i];
    for (Eigen::Index p = 0; p < payloads; ++p)
      all[robot.numBodies() + p] = values[std::ssize(links) + p];
    values = all;
  };
  expand(result.mass_from_data, 1.0);
  expand(result.body_multipliers, 0.0);
}

// A parameter by unconstrained least squares.
struct FreeEstimate {
  double value = 0.0;
  double std_dev = kInfinity;  // of white noise; infinite where the data do not determine it
};

// The ten parameters of the body whose first column is given.
std::vector<FreeEstimate> freeEstimates(const PhysicalFitProblem& problem, Eigen::Index first) {
  constexpr double kLeastEnergy = 1e-12;  // of a column outside the span of all others
  std::vector<Eigen::Index> others;
  for (Eigen::Index c = 0; c < problem.R.cols(); ++c)
    if (c < first || c >= first + 10) others.push_back(c);
  Eigen::MatrixXd body(problem.R.rows(), 11);
  body << problem.R.middleCols(first, 10), problem.z;
  body = outsideSpan(problem.R(Eigen::all, others), std::move(body));
  std::vector<FreeEstimate> estimates(10);
  for (int c = 0; c < 10; ++c) {
    std::vector<int> rest;
    for (int other = 0; other < 10; ++other)
      if (other != c) rest.push_back(other);
    const Eigen::MatrixXd both = outsideSpan(body(Eigen::all, rest), body(Eigen::all, {c, 10}));
    const double energy = both.col(0).squaredNorm();
    if (energy > kLeastEnergy * problem.R.col(first + c).squaredNorm())
      estimates[c] = {both.col(0).dot(both.col(1)) / energy, 1.0 / std::sqrt(energy)};
  }
  return estimates;
}

// What the payload does not state is that of least squares where the data determine it clearly,
// also under correlated noise; else 1 kg and 0.05 m above the link's origin.
InertialParameters payloadPrior(const Payload& payload, const std::vector<FreeEstimate>& free) {
  constexpr double kDeviations = 5.0;
  constexpr double kAccuracy = 0.05;  // [m] of the centre of mass
  if (payload.fullyKnown() && usableAsPrior(payload.known)) return payload.known;
  double mass = 1.0;
  if (std::isfinite(payload.known(0)))
    mass = payload.known(0);
  else if (free[0].value > kDeviations * free[0].std_dev)
    mass = free[0].value;
  Eigen::Vector3d com(0.0, 0.0, 0.05);
  for (int i = 0; i < 3; ++i) {
    const FreeEstimate& moment = free[1 + i];
    if (std::isfinite(payload.known(1 + i)))
      com(i) = payload.known(1 + i) / mass;
    else if (kDeviations * moment.std_dev < kAccuracy * mass)
      com(i) = moment.value / mass;
  }
  return inertialFromCenterOfMass(mass, com, mass * 0.002 * Eigen::Matrix3d::Identity());
}

}  // namespace

Eigen::MatrixXd combinationOf(const BaseParameters& base, const std::vector<int>& columns) {
  const Eigen::MatrixXd all = base.combination();
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(std::ssize(columns), all.cols());
  std::vector<Eigen::Index> dependent;  // rows of E
  for (Eigen::Index i = 0; i < E.rows(); ++i) {
    const int column = columns[i];
    const auto found = std::lower_bound(base.independent.begin(), base.independent.end(), column);
    if (found != base.independent.end() && *found == column)
      E.row(i) = all.row(found - base.independent.begin());
    else
      dependent.push_back(i);
  }
  for (const Eigen::Index i : dependent) {
    const int column = columns[i];
    E.col(column).setZero();
    E(i, column) = 1.0;
  }
  return E;
}

ConsistentProblem consistentProblem(const Robot& robot,
                                    const ParameterLayout& layout,
                                    const Eigen::MatrixXd& E,
                                    const Estimate& estimate,
                                    const std::vector<Payload>& payloads,
                                    bool scale_known) {
  const Eigen::MatrixXd R_std = productWithSparse(estimate.R, E);
  const Order order = orderColumns(robot, layout, payloads, R_std);
  ConsistentProblem result;
  PhysicalFitProblem& problem = result.problem;
  problem.R.resize(R_std.rows(), std::ssize(order.columns));
  for (size_t c = 0; c < order.columns.size(); ++c) problem.R.col(c) = R_std.col(order.columns[c]);
  problem.z = estimate.z;
  problem.bodies = order.bodies;
  problem.nonnegative = order.nonnegative;
  problem.free = order.free;
  problem.residual_squared = estimate.residual_squared;
  problem.rows = estimate.rows;
  const std::vector<InertialParameters> prior = priorBodies(robot, result.prior_source);
  for (const int k : order.links) problem.prior.push_back(prior[k]);
  problem.trust_prior_scale = std::all_of(
      result.prior_source.begin(), result.prior_source.end(), [](const std::string& source) {
        return source != "capsule";
      });
  problem.payloads = static_cast<int>(payloads.size());
  problem.scale_known = scale_known;
  for (const Payload& payload : payloads) {
    const bool by_data = scale_known && !payload.fullyKnown();
    problem.prior.push_back(
        payloadPrior(payload,
                     by_data ? freeEstimates(problem, 10 * std::ssize(problem.prior))
                             : std::vector<FreeEstimate>(10)));
  }
  addLinkBounds(robot, order, problem);
  if (scale_known) addKnownLoads(order, payloads, problem);
  addPassiveFriction(robot, layout, order, problem);
  problem.free_prior = freePrior(layout, order, problem);
  result.columns = order.columns;
  result.links = order.links;
  return result;
}

ConsistentFit fitConsistently(const Robot& robot,
                              const ParameterLayout& layout,
                              const Eigen::MatrixXd& E,
                              const Estimate& estimate,
                              const std::vector<Payload>& payloads,
                              bool scale_known,
                              const PhysicalFitOptions& options) {
  ConsistentProblem problem = consistentProblem(robot, layout, E, estimate, payloads, scale_known);
  ConsistentFit fit;
  fit.prior_source = std::move(problem.prior_source);
  fit.result = solvePhysicalFit(problem.problem, options);
  includeMassless(robot, problem.links, fit.result);
  if (fit.result.feasible) {
    fit.parameters = Eigen::VectorXd::Zero(layout.size());
    fit.parameters(problem.columns) = fit.result.x;
    fit.first_stage = Eigen::VectorXd::Zero(layout.size());
    fit.first_stage(problem.columns) = fit.result.x_first_stage;
  }
  return fit;
}

}  // namespace dynid
