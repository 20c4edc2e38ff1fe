#pragma once

#include "dynid/consistency/bounds.h"
#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>

#include <array>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// The measured regression of a six-joint arm whose optimum was computed by another program: 60
/// inertial columns, six drive inertias, then viscous and Coulomb friction and offset of every
/// joint, then z.
namespace dynid::oracle {

inline constexpr double kOptimum =
    15.1075982095;  ///< ||R x - z||, masses at most 1.1 times the data sheet
inline constexpr double kVariantOptimum = 14.4065401186;  ///< masses between 0.7 and 1.3 times
inline constexpr std::array<double, 6> kMasses = {7.778, 12.93, 3.87, 1.96, 1.96, 0.202};

inline Eigen::MatrixXd readTable(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::string line;
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    if (line.empty() || line.front() == '#' || line.front() == 'm') continue;
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      rows.back().push_back(std::stod(field));
  }
  Eigen::MatrixXd table(rows.size(), 85);
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[i].data(), 85);
  return table;
}

/// Masses between `lower` and 1.1 or 1.3 times the data sheet's; trace of each inertia at most 40.
/// The prior is a ball with the data sheet's mass and a radius of gyration of 0.4 m, so large that
/// the bound on the total size is not active.
inline PhysicalFitProblem ur10eProblem(const std::string& directory, bool variant) {
  const Eigen::MatrixXd table = readTable(directory + "/physical_fit_ur10e.csv");
  PhysicalFitProblem problem;
  problem.bodies = 6;
  problem.nonnegative = 18;
  problem.free = 6;
  problem.z = table.col(84);
  problem.R.resize(table.rows(), 84);
  problem.R.leftCols(66) = table.leftCols(66);
  for (int j = 0; j < 6; ++j) {
    problem.R.middleCols<2>(66 + 2 * j) = table.middleCols<2>(66 + 3 * j);
    problem.R.col(78 + j) = table.col(68 + 3 * j);
  }
  for (int k = 0; k < 6; ++k) {
    const double mass = kMasses.at(k);
    problem.prior.push_back(inertialFromCenterOfMass(
        mass, Eigen::Vector3d::Zero(), 0.16 * mass * Eigen::Matrix3d::Identity()));
    const std::string name = "link" + std::to_string(k + 1);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const BodyBound& bound : variant ? massBounds(name, 0.7 * mass, 1.3 * mass)
                                          : massBounds(name, -infinity, 1.1 * mass))
      addBodyBound(problem, k, bound);
    addBodyBound(problem, k, inertiaTraceBound(name, 40.0));
  }
  return problem;
}

}  // namespace dynid::oracle
