#include "dynid/consistency/bounds.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace dynid {
namespace {

constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};

void requireNumber(double value, const std::string& what) {
  if (std::isnan(value)) throw std::invalid_argument(what + ": NaN; expected a number or infinity");
}

}  // namespace

std::vector<BodyBound> massBounds(const std::string& body, double lower, double upper) {
  requireNumber(lower, "lower limit of " + body);
  requireNumber(upper, "upper limit of " + body);
  std::vector<BodyBound> bounds;
  if (std::isfinite(lower))
    bounds.push_back({body + " mass lower", -InertialParameters::Unit(0), -lower});
  if (std::isfinite(upper))
    bounds.push_back({body + " mass upper", InertialParameters::Unit(0), upper});
  return bounds;
}

std::vector<BodyBound> comBoxBounds(const std::string& body,
                                    const Eigen::Vector3d& lower,
                                    const Eigen::Vector3d& upper) {
  std::vector<BodyBound> bounds;
  for (int i = 0; i < 3; ++i) {
    const std::string name = body + " com " + kAxes.at(i);
    requireNumber(lower(i), "lower limit of " + name);
    requireNumber(upper(i), "upper limit of " + name);
    InertialParameters row = -InertialParameters::Unit(1 + i);
    row(0) = lower(i);
    if (std::isfinite(lower(i))) bounds.push_back({name + " lower", row, 0.0});
    row = InertialParameters::Unit(1 + i);
    row(0) = -upper(i);
    if (std::isfinite(upper(i))) bounds.push_back({name + " upper", row, 0.0});
  }
  return bounds;
}

BodyBound ellipsoidBound(const std::string& body,
                         const Eigen::Vector3d& center,
                         const Eigen::Vector3d& radii) {
  if (!center.allFinite() || !radii.allFinite() || radii.minCoeff() <= 0.0)
    throw std::invalid_argument("centre or radii of the ellipsoid of " + body +
                                " are not usable; expected finite numbers, radii above zero [m]");
  const Eigen::Matrix3d S = radii.cwiseAbs2().cwiseInverse().asDiagonal();
  Eigen::Matrix4d Q;
  Q.topLeftCorner<3, 3>() = -S;
  Q.topRightCorner<3, 1>() = S * center;
  Q.bottomLeftCorner<1, 3>() = (S * center).transpose();
  Q(3, 3) = 1.0 - center.dot(S * center);

  BodyBound bound{body + " ellipsoid", InertialParameters::Zero(), 0.0};
  for (int i = 0; i < 10; ++i)
    bound.row(i) = -pseudoInertia(InertialParameters::Unit(i)).cwiseProduct(Q).sum();
  return bound;
}

BodyBound inertiaTraceBound(const std::string& body, double limit) {
  if (!std::isfinite(limit))
    throw std::invalid_argument("the limit of the inertia trace of " + body + " is not finite");
  InertialParameters row = InertialParameters::Zero();
  row(4) = row(7) = row(9) = 1.0;
  return {body + " inertia trace", row, limit};
}

void addBound(PhysicalFitProblem& problem,
              const std::string& name,
              const Eigen::VectorXd& row,
              double limit) {
  const Eigen::Index columns = 10 * problem.bodies + problem.nonnegative;
  if (row.size() != columns)
    throw std::invalid_argument(
        fmt::format("the bound \"{}\" has the length {}; expected {}", name, row.size(), columns));
  const Eigen::Index rows = problem.d.size();
  problem.C.conservativeResize(rows + 1, columns);
  problem.C.row(rows) = row.transpose();
  problem.d.conservativeResize(rows + 1);
  problem.d(rows) = limit;
  problem.bound_names.push_back(name);
}

void addBodyBound(PhysicalFitProblem& problem, int body, const BodyBound& bound) {
  if (body < 0 || body >= problem.bodies)
    throw std::invalid_argument(
        fmt::format("body {} of \"{}\"; expected 0 to {}", body, bound.name, problem.bodies - 1));
  Eigen::VectorXd row = Eigen::VectorXd::Zero(10 * problem.bodies + problem.nonnegative);
  row.segment<10>(10 * body) = bound.row;
  addBound(problem, bound.name, row, bound.limit);
}

void addTotalMassBounds(PhysicalFitProblem& problem,
                        const std::vector<int>& bodies,
                        double lower,
                        double upper,
                        const std::string& name) {
  requireNumber(lower, "lower limit of " + name);
  requireNumber(upper, "upper limit of " + name);
  Eigen::VectorXd row = Eigen::VectorXd::Zero(10 * problem.bodies + problem.nonnegative);
  for (const int body : bodies) {
    if (body < 0 || body >= problem.bodies)
      throw std::invalid_argument(
          fmt::format("body {}; expected 0 to {}", body, problem.bodies - 1));
    row(10 * body) = 1.0;
  }
  if (std::isfinite(lower)) addBound(problem, name + " lower", -row, -lower);
  if (std::isfinite(upper)) addBound(problem, name + " upper", row, upper);
}

}  // namespace dynid
