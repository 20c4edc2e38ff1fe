#pragma once

#include "dynid/model/model.h"
#include "dynid/regression/base_parameters.h"
#include "dynid/robot/parameter_layout.h"

#include <string>
#include <vector>

namespace dynid {

/// None where the standard deviation is infinite; badly where it is as large as the value itself.
Excitation excitationOf(double value, double std_dev);

/// The same, but a value that is known to be small counts as well excited, however large its
/// relative standard deviation is: an offset that is truly zero is no gap in the motion. Small
/// means that one standard deviation makes at most 2 % of the joint's effort at 1 rad/s (1 m/s), 1
/// rad/s^2 (1 m/s^2) and under gravity.
/// @param unit        of the value, as Column::unit
/// @param effort_rms  of the joint that it acts on [N m or N]
Excitation excitationOf(double value, double std_dev, const std::string& unit, double effort_rms);

/// What joint torque tells of every parameter of the layout: alone, in a combination or not at all
/// by the structure, and how well by the base parameter that it is seen in (the one in which it
/// weighs most).
/// @param of_base  [independent] how well each base parameter is excited
std::vector<ParameterVerdict> parameterVerdicts(const BaseParameters& base,
                                                const ParameterLayout& layout,
                                                const std::vector<Excitation>& of_base);

}  // namespace dynid
