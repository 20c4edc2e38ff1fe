#pragma once

#include "dynid/formulations/formulation.h"

#include <functional>

namespace dynid {

/// Windows on which the integral forms are compared. A Gauss rule of ten points on 20 ms integrates
/// a motion of 200 rad/s to rounding; 1e-8 leaves room for chains that whip faster.
inline constexpr double kWindowSeconds = 0.02;
inline constexpr double kQuadratureTolerance = 1e-8;
inline constexpr const char* kQuadratureReason =
    "exact form, integrated by a Gauss rule of ten points";

/// The state after t [s] of the motion with constant jerk, and the efforts that belong to it.
FormulationState stateAt(const Robot& robot, const FormulationState& state, double t);

/// Visits the nodes of the window with their weights [s].
void forEachNode(const Robot& robot,
                 const FormulationState& state,
                 const std::function<void(double, const FormulationState&)>& visit);

}  // namespace dynid
