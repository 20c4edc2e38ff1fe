#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The column of each row, every column taken once, so that the sum of the costs is least: the
/// Hungarian method with potentials (Kuhn 1955; Munkres 1957).
/// @param cost  [n x n]; what is not finite, or above 1e12, counts as 1e12
std::vector<int> cheapestAssignment(const Eigen::MatrixXd& cost);

}  // namespace dynid
