#pragma once

#include "dynid/model/model.h"
#include "dynid/regression/base_parameters.h"
#include "dynid/robot/parameter_layout.h"

#include <string>
#include <vector>

namespace dynid {

/// Excitation of a parameter from its standard deviation: none if it is infinite, badly if it is as
/// large as the value itself.
Excitation excitationOf(double value, double std_dev);

/// As above, but a value that is known to be small counts as well excited even if its relative
/// standard deviation is large, because an offset that is truly zero is not a lack of excitation. A
/// value is small if one standard deviation changes the joint's effort by at most 2 % at 1 rad/s (1
/// m/s), 1 rad/s^2 (1 m/s^2) and under gravity.
/// @param unit        of the value, as Column::unit
/// @param effort_rms  of the joint that it affects [N m or N]
Excitation excitationOf(double value, double std_dev, const std::string& unit, double effort_rms);

/// For every parameter of the layout: whether joint torques identify it alone, in a combination or
/// not at all (a property of the mechanism), and how well the base parameter that contains it with
/// the largest coefficient is excited.
/// @param of_base  [independent] how well each base parameter is excited
std::vector<ParameterVerdict> parameterVerdicts(const BaseParameters& base,
                                                const ParameterLayout& layout,
                                                const std::vector<Excitation>& of_base);

}  // namespace dynid
