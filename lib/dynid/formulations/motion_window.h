#pragma once

#include "dynid/formulations/formulation.h"

#include <functional>

namespace dynid {

/// Time window on which the integral forms are compared. A Gauss rule of ten points on 20 ms
/// integrates a motion of 200 rad/s up to rounding errors; the tolerance 1e-8 leaves a margin for
/// long chains with faster outer links.
inline constexpr double kWindowSeconds = 0.02;
inline constexpr double kQuadratureTolerance = 1e-8;
inline constexpr const char* kQuadratureReason =
    "exact form, integrated by a Gauss rule of ten points";

/// The state t [s] later in the motion with constant jerk, and the efforts that belong to it.
FormulationState stateAt(const Robot& robot, const FormulationState& state, double t);

/// Calls `visit` with each node of the Gauss rule: its weight [s] and the state there.
void forEachNode(const Robot& robot,
                 const FormulationState& state,
                 const std::function<void(double, const FormulationState&)>& visit);

}  // namespace dynid
