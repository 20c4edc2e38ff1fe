#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Sum of the masses of the first `bodies` bodies of standard parameters [kg].
double sumOfMasses(const Eigen::VectorXd& inertial, int bodies);

/// Whether a total mass is within a factor of five of the described one; false for a described mass
/// of NaN.
bool isAsDescribed(double mass, double described);

/// Links with more than four times or less than a quarter of their described mass, "NAME 5 kg (1
/// kg)", if the total mass agrees with the description (isAsDescribed): a spring that the model
/// lacks appears as mass. Links with less than 5 % of the total, lighter ones whose mass the
/// efforts do not depend on, and those whose mass has bounds are left out.
std::vector<std::string> linksUnlikeDescribed(const Model& model);

/// The reason not to use a model whose total mass is more than a hundred times the described one,
/// less than a hundredth of it, or less than a twentieth where a warning names the unit of the
/// efforts: two facts then say that the efforts are not joint torques. Also of one whose total mass
/// is not as described (isAsDescribed), although the size of efforts was changed by an assumption.
/// Empty otherwise.
std::vector<std::string> massesOfAnotherUnit(const Model& model, bool doubtful_unit);

/// Differences between the masses of a model and what is stated about them, one sentence each:
///
///     total mass   not within a factor of five of the description's, and no reason not to use the
///                  model (massesOfAnotherUnit); a tree without described masses: above 200 times
///                  uniform rods
///     links        with more than four times their described mass, or, where the efforts depend on
///                  it, less than a quarter; with at least 5 % of the total
///     slides       drive inertias above 300 times the mass of the moving links in the model: no
///                  drive has them
///     bounds       on masses that are not used, because the scale of the efforts is unknown
///     payloads     whose stated values raise the error of a joint by more than 10 %, and by more
///                  than a fifth of its noise floor (square root of the difference of squares)
/// @param doubtful_unit  a warning names the unit of the efforts: no other cause is named for links
std::vector<std::string> massReservations(const Model& model, bool doubtful_unit = false);

}  // namespace dynid
