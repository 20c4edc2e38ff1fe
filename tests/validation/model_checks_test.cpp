#include "dynid/validation/model_checks.h"

#include "dynid/consistency/physical_fit.h"
#include "dynid/dynamics/mass_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using ::testing::HasSubstr;

TEST(ModelChecks, PassForPossibleBodies) {
  const Model model = syntheticModel();
  EXPECT_EQ(checkPhysicalConsistency(model).outcome, Check::Outcome::kPassed);
  const Check mass = checkMassMatrix(model, 0.0);
  EXPECT_EQ(mass.outcome, Check::Outcome::kPassed);
  EXPECT_GT(mass.value, 0.0);
  EXPECT_THAT(mass.message, HasSubstr("shoulder"));
  EXPECT_EQ(checkMassMatrix(model, 0.0).value, mass.value);  // the same states each time
}

TEST(ModelChecks, NameTheLinkThatIsNoBody) {
  Model model = syntheticModel();
  model.parameters(10 + 4) = -1.0;
  const Check check = checkPhysicalConsistency(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_THAT(check.message, HasSubstr("fore is no possible body"));
}

TEST(ModelChecks, NameTheFrictionBelowZero) {
  Model model = syntheticModel();
  model.parameters(model.layout.find("m6.coulomb")) = -0.2;
  const Check check = checkPhysicalConsistency(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_THAT(check.message, HasSubstr("m6.coulomb is -0.2 N m, below zero"));
}

TEST(ModelChecks, MassMatrixOfImpossibleLinksIsFoundOut) {
  Model model = syntheticModel();
  model.parameters.segment<10>(20) *= -1.0;
  for (const char* name : {"shoulder.drive_inertia", "m5.drive_inertia", "m6.drive_inertia"})
    model.parameters(model.layout.find(name)) = 0.0;
  const Check check = checkMassMatrix(model, 0.0);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_LT(check.value, 0.0);
}

TEST(ModelChecks, MassMatrixBelowTheWantedEigenvalueFails) {
  const Check check = checkMassMatrix(syntheticModel(), 1e3);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_THAT(check.message, HasSubstr("it has to be above 1e+03"));
}

TEST(ModelChecks, CertificateOfAnIdentifiedModel) {
  Model model = syntheticModel();
  PhysicalFitProblem problem;
  problem.bodies = 3;
  problem.prior.assign(3, model.body(0));
  problem.R = Eigen::MatrixXd::Random(40, 30);
  problem.z = problem.R * model.parameters.head(30) + 0.1 * Eigen::VectorXd::Random(40);
  model.consistency = solvePhysicalFit(problem);
  ASSERT_TRUE(model.consistency.converged) << model.consistency.reason;
  model.parameters.head(30) = model.consistency.x.head(30);
  const Check check = checkModelCertificate(model, 1e-6);
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed) << check.message;
  EXPECT_LE(check.value, 1e-8);

  Model edited = model;
  edited.parameters(0) += 0.1;
  EXPECT_EQ(checkModelCertificate(edited, 1e-6).outcome, Check::Outcome::kFailed);
  EXPECT_THAT(checkModelCertificate(edited, 1e-6).message, HasSubstr("are not those of the fit"));
  EXPECT_EQ(checkModelCertificate(model, 1e-30).outcome, Check::Outcome::kFailed);
  Model forged = model;
  forged.consistency.certificate.x(0) = -1.0;
  EXPECT_EQ(checkModelCertificate(forged, 1e-6).outcome, Check::Outcome::kFailed);
  Model without = model;
  without.has_certificate = false;
  EXPECT_EQ(checkModelCertificate(without, 1e-6).outcome, Check::Outcome::kNotVerifiable);
  EXPECT_THAT(checkModelCertificate(without, 1e-6).message, HasSubstr("carries no certificate"));
}

}  // namespace
}  // namespace dynid
