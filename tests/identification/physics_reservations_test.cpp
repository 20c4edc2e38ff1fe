#include "dynid/identification/physics_reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Model modelOfLowPrice() {
  Model model = syntheticModel();
  model.consistency.objective_optimal = 1.05 * model.fit.objective_unconstrained;
  return model;
}

TEST(PhysicsReservations, AGoodModelHasNone) {
  EXPECT_THAT(physicsReservations(modelOfLowPrice()), IsEmpty());
}

TEST(PhysicsReservations, TheProgramsOwnBoundThatCarriesTheFitIsNamed) {
  Model model = modelOfLowPrice();
  model.consistency.objective_optimal = 1.5 * model.fit.objective_unconstrained;
  EXPECT_THAT(physicsReservations(model), IsEmpty());  // the active bound is the user's
  model.consistency.bounds.push_back({"overall size", 1.0, 1.0, true, 0.1});
  EXPECT_THAT(physicsReservations(model),
              ElementsAre(AllOf(HasSubstr("(upper.mass >= 2, overall size) raise the squared error "
                                          "of the fit by 50 %; \"overall size\" is the program's"),
                                Not(HasSubstr("no robot of rigid links")))));
}

// The bound is active, too, but it is not what costs.
TEST(PhysicsReservations, PassiveFrictionIsNamedWhereItCostsMost) {
  Model model = modelOfLowPrice();
  model.consistency.objective_optimal = 1.5 * model.fit.objective_unconstrained;
  model.consistency.bounds.push_back({"overall size", 1.0, 1.0, true, 0.1});
  model.fit.per_joint[0].price_of_physics = 0.5;
  model.fit.per_joint[0].price_reason = std::string(kPassiveFriction) + " (at 2 rad/s)";
  EXPECT_THAT(physicsReservations(model),
              ElementsAre(AllOf(HasSubstr("by 50 %; friction that must not push raises it most"),
                                Not(HasSubstr("give masses")))));
}

TEST(PhysicsReservations, AHighPriceIsSaidWhateverTheBounds) {
  Model model = modelOfLowPrice();
  model.consistency.objective_optimal = 9.67 * model.fit.objective_unconstrained;
  model.fit.relative_error = 0.086;
  EXPECT_THAT(physicsReservations(model),
              ElementsAre(HasSubstr("by 867 %: no robot of rigid links has such efforts; a part of "
                                    "them may be missing")));
  model.fit.relative_error = 0.02;  // too small to matter
  EXPECT_THAT(physicsReservations(model), IsEmpty());
}

TEST(PhysicsReservations, ANegativeSpringIsNamed) {
  Model model = modelOfLowPrice();
  BaseParameterEstimate spring = model.base_parameters.front();
  spring.name = "elbow.spring";
  spring.std_dev = 0.3;
  model.base_parameters.push_back(spring);
  EXPECT_THAT(physicsReservations(model), IsEmpty());  // -0.67 is not surely negative
  model.base_parameters.back().std_dev = 0.1;
  EXPECT_THAT(physicsReservations(model),
              ElementsAre(HasSubstr("the spring elbow.spring has a negative stiffness (-0.667 N "
                                    "m/rad, standard deviation 0.1)")));
  model.parameters(model.layout.find("elbow.spring")) = 0.67;
  EXPECT_THAT(physicsReservations(model), IsEmpty());
}

}  // namespace
}  // namespace dynid
