#pragma once

#include "dynid/consistency/physical_fit.h"
#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// A bound row . pi <= limit on the ten parameters of one body.
struct BodyBound {
  std::string name;
  InertialParameters row = InertialParameters::Zero();
  double limit = 0.0;
};

/// lower <= m <= upper [kg]; an infinite end gives no row. @throws std::invalid_argument if
/// NaN. If lower > upper, no body meets the bounds, which the fit reports.
std::vector<BodyBound> massBounds(const std::string& body, double lower, double upper);

/// lower <= c <= upper for the centre of mass c [m, body frame], linear as h - m upper <= 0, m
/// lower - h <= 0 (with m >= 0, which the cone implies). @throws std::invalid_argument if
/// NaN. If lower > upper, no body meets the bounds, which the fit reports.
std::vector<BodyBound> comBoxBounds(const std::string& body,
                                    const Eigen::Vector3d& lower,
                                    const Eigen::Vector3d& upper);

/// All mass of the body lies inside the ellipsoid with axes along the body's frame: tr(P Q) >= 0
/// with Q = [-S  S c; c^T S  1 - c^T S c], S = diag(1/radii^2) (Wensing, Kim, Slotine 2018, eq.
/// 16); with P >= 0 it is also sufficient. `center`, `radii` [m]. @throws std::invalid_argument if
/// a radius is not positive.
BodyBound ellipsoidBound(const std::string& body,
                         const Eigen::Vector3d& center,
                         const Eigen::Vector3d& radii);

/// Ixx + Iyy + Izz about the body's origin <= limit [kg m^2].
BodyBound inertiaTraceBound(const std::string& body, double limit);

/// Appends a general row over the 10 bodies + nonnegative columns.
/// @throws std::invalid_argument for a row of the wrong length
void addBound(PhysicalFitProblem& problem,
              const std::string& name,
              const Eigen::VectorXd& row,
              double limit);

/// Appends a bound of one body.
void addBodyBound(PhysicalFitProblem& problem, int body, const BodyBound& bound);

/// Appends lower <= sum of the masses of `bodies` <= upper [kg]; an infinite end gives no row.
void addTotalMassBounds(PhysicalFitProblem& problem,
                        const std::vector<int>& bodies,
                        double lower,
                        double upper,
                        const std::string& name = kTotalMassBound);

}  // namespace dynid
