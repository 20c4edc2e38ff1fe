#include "dynid/identification/physics_reservations.h"

#include "dynid/core/text.h"
#include "dynid/robot/parameter_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kLargestPrice = 1.15;  // with the bound on the overall size
// Without it. Correct logs of nine real robots reach 1.5; smaller errors do not matter.
constexpr double kHighPrice = 4.0, kErrorThatMatters = 0.03;
constexpr double kSurelyNegative = 3.0;  // standard deviations

std::string activeBoundsText(const PhysicalFitResult& fit) {
  std::vector<std::string> active;
  for (const BoundReport& bound : fit.bounds)
    if (bound.active) active.push_back(bound.name);
  return active.empty() ? "" : " and active bounds (" + join(active) + ")";
}

// Whether it is passive friction that raises the error of the joint whose error rises most.
bool frictionCostsMost(const Model& model) {
  const std::vector<ChannelFit>& joints = model.fit.per_joint;
  const auto dearest =
      std::max_element(joints.begin(), joints.end(), [](const ChannelFit& a, const ChannelFit& b) {
        return a.price_of_physics < b.price_of_physics;
      });
  return dearest != joints.end() && dearest->price_reason.starts_with(kPassiveFriction);
}

void addPrice(const Model& model, std::vector<std::string>& found) {
  const PhysicalFitResult& fit = model.consistency;
  const double price = fit.objective_optimal / model.fit.objective_unconstrained;
  const bool own_bound =
      std::any_of(fit.bounds.begin(), fit.bounds.end(), [](const BoundReport& bound) {
        return bound.active && bound.name == kOverallSizeBound;
      });
  const bool high = price > kHighPrice && model.fit.relative_error > kErrorThatMatters;
  if (!high && !(own_bound && price > kLargestPrice)) return;
  std::string text =
      fmt::format("physical consistency{} raise{} the squared error of the fit by {:.0f} %",
                  activeBoundsText(fit),
                  activeBoundsText(fit).empty() ? "s" : "",
                  100.0 * (price - 1.0));
  if (high)
    text +=
        ": no robot of rigid links has such efforts; a part of them may be missing (only the "
        "gravity torque, or the inertia, of a controller was logged), or signs, units, masses or "
        "bounds of the description are wrong";
  if (own_bound && frictionCostsMost(model))
    text += fmt::format("; {} raises it most: use fewer terms of friction, or record faster motion",
                        kPassiveFriction);
  else if (own_bound)
    text += fmt::format(
        "; \"{}\" is the program's own: give masses ([link.NAME] mass) or inertials in the "
        "description",
        kOverallSizeBound);
  found.push_back(text);
}

// The columns of a spring are q and 1.
void addSprings(const Model& model, std::vector<std::string>& found) {
  for (const BaseParameterEstimate& estimate : model.base_parameters) {
    const int c = model.layout.find(estimate.name);
    if (c < 0 || model.layout[c].kind != ColumnKind::kPosition) continue;
    const Column& column = model.layout[c];
    if (positionEffect(*model.robot, column).kind != PositionEffect::Kind::kSpring) continue;
    const double stiffness = model.parameters(c);
    if (!(stiffness < -kSurelyNegative * estimate.std_dev)) continue;
    found.push_back(fmt::format(
        "the spring {} has a negative stiffness ({:.3g} {}, standard deviation {:.2g}): a "
        "spring pulls back to its rest position, this one pushes away from it; check sign and "
        "zero of the position, or describe what acts there (position_effects counterbalance or "
        "polynomial)",
        column.name,
        stiffness,
        column.unit,
        estimate.std_dev));
  }
}

}  // namespace

std::vector<std::string> physicsReservations(const Model& model) {
  std::vector<std::string> found;
  addPrice(model, found);
  if (model.parameters.size() > 0) addSprings(model, found);
  return found;
}

}  // namespace dynid
