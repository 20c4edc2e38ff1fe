#include "dynid/identification/mass_reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Every link is described with the mass that the model has, and without bounds.
Model asDescribed() {
  Model model = testing::syntheticModel();
  auto robot = std::make_shared<Robot>(*model.robot);
  robot->total_mass.reset();
  for (int k = 0; k < robot->numBodies(); ++k) {
    robot->bodies[k].bounds = {};
    robot->bodies[k].prior = inertialFromCenterOfMass(
        model.parameters(10 * k), Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity());
  }
  model.robot = robot;
  model.verdicts.assign(model.layout.size(),
                        ParameterVerdict{Identifiability::kCombination, Excitation::kWell, ""});
  return model;
}

void change(Model& model, int body, double factor) {
  auto robot = std::make_shared<Robot>(*model.robot);
  *robot->bodies[body].prior *= factor;
  model.robot = robot;
}

// Efforts in N mm: a drive may have any inertia, and the links those of the description.
TEST(MassReservations, ADriveOfASlideThatNoDriveHasIsNamed) {
  Model model = asDescribed();
  int drive = 0;
  while (model.layout[drive].kind != ColumnKind::kDriveInertia) ++drive;
  const int joint = model.layout[drive].owner;
  model.parameters(drive) = 1e5;
  EXPECT_THAT(massReservations(model), IsEmpty()) << "a revolute joint";
  auto robot = std::make_shared<Robot>(*model.robot);
  robot->joints[joint].prismatic = true;
  model.robot = robot;
  EXPECT_THAT(massReservations(model),
              ElementsAre(HasSubstr("the drive inertia of " + robot->drives[joint].name +
                                    " is 1e+05 kg, ")));
  model.parameters(drive) = 100.0;
  EXPECT_THAT(massReservations(model), IsEmpty());
}

TEST(MassReservations, LinksFarFromTheirDescribedMassAreNamed) {
  const Model good = asDescribed();
  const std::string name = good.robot->bodies[0].name;
  EXPECT_THAT(massReservations(good), IsEmpty());
  Model model = good;
  change(model, 0, 0.3);
  EXPECT_THAT(massReservations(model), IsEmpty());
  model = good;
  change(model, 0, 0.2);
  EXPECT_THAT(
      massReservations(model),
      ElementsAre(AllOf(HasSubstr(name + " "),
                        HasSubstr("spring or counterbalance ([joint.NAME] position_effects), a "
                                  "payload, or a wrong unit; or its masses (kg) are wrong"))));
  model = good;
  change(model, 0, 4.5);
  EXPECT_THAT(massReservations(model),
              ElementsAre(AllOf(HasSubstr(name + " "),
                                HasSubstr("; the description may state too much: compare its "
                                          "masses (kg) with the data sheet; otherwise a"))));
  EXPECT_THAT(massReservations(model, true),
              ElementsAre(HasSubstr("; check the unit of the efforts first")));
  model.verdicts[0].identifiability =
      Identifiability::kNone;  // the mass is the prior's or a bound's
  EXPECT_THAT(massReservations(model), IsEmpty());
  change(model, 0, 0.2 / 4.5);  // first moments and inertias need more
  EXPECT_THAT(massReservations(model), ElementsAre(HasSubstr(name + " ")));
}

TEST(MassReservations, SmallLinksAndLinksWithAStatedMassAreNot) {
  Model model = asDescribed();
  for (int k = 1; k < model.robot->numBodies(); ++k) {
    model.parameters.segment<10>(10 * k) *= 100.0;
    change(model, k, 100.0);
  }
  change(model, 0, 4.5);
  EXPECT_THAT(massReservations(model), IsEmpty());
  model = asDescribed();
  change(model, 0, 0.2);
  auto robot = std::make_shared<Robot>(*model.robot);
  robot->bodies[0].bounds.mass = {0.0, 100.0};
  model.robot = robot;
  EXPECT_THAT(massReservations(model), IsEmpty());
}

// Efforts in percent of rated torques, of which three of seven joints were corrected: 410 kg in
// place of 22 were usable.
TEST(MassReservations, OtherMassesUnderAnAssumedSizeOfEffortsAreAReasonNotToUseTheModel) {
  Model model = asDescribed();
  model.provenance.logs.resize(1);
  LogCorrection& correction = model.provenance.logs[0].assumptions.correction;
  correction.effort_factor = Eigen::Vector3d(1.0, 0.05, 1.0);
  EXPECT_THAT(massesOfAnotherUnit(model, false), IsEmpty());
  for (int k = 0; k < model.robot->numBodies(); ++k) change(model, k, 0.1);
  EXPECT_THAT(massesOfAnotherUnit(model, false),
              ElementsAre(HasSubstr("what is assumed about the size of efforts is wrong")));
  correction.effort_factor = Eigen::Vector3d(1.0, -1.0, 1.0);
  EXPECT_THAT(massesOfAnotherUnit(model, false), IsEmpty()) << "a sign";
}

TEST(MassReservations, FarTooLightLinksBesideADoubtfulUnitAreAReasonNotToUseTheModel) {
  Model model = asDescribed();
  EXPECT_THAT(massesOfAnotherUnit(model, true), IsEmpty());
  for (int k = 0; k < model.robot->numBodies(); ++k) change(model, k, 10.0);
  EXPECT_THAT(massesOfAnotherUnit(model, true), IsEmpty());
  for (int k = 0; k < model.robot->numBodies(); ++k) change(model, k, 2.5);
  EXPECT_THAT(massesOfAnotherUnit(model, false), IsEmpty());
  EXPECT_THAT(massesOfAnotherUnit(model, true),
              ElementsAre(AllOf(HasSubstr("the moving links weigh "),
                                HasSubstr("they are not joint torques in N m"),
                                HasSubstr("gear_ratio under [effort]"))));
  EXPECT_THAT(massReservations(model, true), IsEmpty()) << "the same in other words";
  for (int k = 0; k < model.robot->numBodies(); ++k) change(model, k, 5.0);
  EXPECT_THAT(massesOfAnotherUnit(model, false),
              ElementsAre(HasSubstr("or the masses of the description are not in kg")));
  EXPECT_THAT(massReservations(model), IsEmpty());
  model.scale_known = false;
  EXPECT_THAT(massesOfAnotherUnit(model, true), IsEmpty());
  model = asDescribed();
  model.parameters *= 90.0;
  EXPECT_THAT(massesOfAnotherUnit(model, false), IsEmpty());
  model.parameters *= 2.0;
  EXPECT_THAT(massesOfAnotherUnit(model, false), ElementsAre(HasSubstr("are not joint torques")));
}

TEST(MassReservations, MassBoundsThatAreNotUsedAreNamed) {
  Model model = asDescribed();
  model.scale_known = false;
  EXPECT_THAT(massReservations(model), IsEmpty());
  auto robot = std::make_shared<Robot>(*model.robot);
  robot->bodies[1].bounds.mass = {1.0, 2.0};
  robot->total_mass = {3.0, 4.0};
  model.robot = robot;
  EXPECT_THAT(massReservations(model),
              ElementsAre("mass bounds of the description are not used (" + robot->bodies[1].name +
                          " mass, total mass): efforts are in A without a drive gain, and no known "
                          "payload determines the scale; give drive_gain for one joint"));
}

TEST(MassReservations, PayloadsThatTheLogsContradictAreNamed) {
  Model model = asDescribed();
  model.payloads = {{"payload b.h5", "hand", model.parameters.head<10>()}};
  model.fit.per_joint[1].price_of_physics = 0.4;
  model.fit.per_joint[1].price_reason = "the bound \"upper mass lower\"";
  EXPECT_THAT(massReservations(model), IsEmpty());
  model.fit.per_joint[1].price_reason = "the bound \"payload b.h5.m\"";
  EXPECT_THAT(massReservations(model),
              ElementsAre("the stated values of payload b.h5 on hand raise the error of " +
                          model.robot->drives[1].name +
                          " by 40 %: check that its log was recorded with it, its mass (kg) and "
                          "its link"));
  // An error that is small against the noise proves nothing.
  model.fit.per_joint[1].noise_floor = 0.01;
  model.fit.per_joint[1].relative_error = 0.01;
  EXPECT_EQ(massReservations(model).size(), 1u);
  model.fit.per_joint[1].relative_error = 0.002;
  EXPECT_THAT(massReservations(model), IsEmpty());
}

}  // namespace
}  // namespace dynid
