// The model file as other programs read it: a JSON schema, and a predictor written from its
// documentation only.
#include "dynid/core/files.h"
#include "dynid/model/json.h"
#include "dynid/model/json_text.h"
#include "dynid/model/model_efforts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include "support/python.h"
#include <filesystem>

namespace dynid {
namespace {

using dynid::testing::runPython;
using dynid::testing::syntheticModel;

class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("dynid_model_file_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

struct States {
  Eigen::MatrixXd q, dq, ddq;
};

States someStates(int samples, int joints) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto draw = [&](double scale) -> Eigen::MatrixXd {
    return Eigen::MatrixXd::NullaryExpr(samples, joints, [&] { return scale * unit(random); });
  };
  States states{draw(2.0), draw(1.5), draw(4.0)};
  states.dq.topRows(samples / 4) *= 0.01;  // within the ramp of the sign of the velocity
  return states;
}

Json list(const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); }

std::string asJson(const States& states) {
  Json document = {{"states", Json::array()}};
  for (Eigen::Index i = 0; i < states.q.rows(); ++i)
    document["states"].push_back({{"q", list(states.q.row(i))},
                                  {"dq", list(states.dq.row(i))},
                                  {"ddq", list(states.ddq.row(i))}});
  return document.dump();
}

TEST_F(ModelFile, APredictorWrittenFromTheDocumentationAgrees) {
  if (!dynid::testing::pythonHas("numpy")) GTEST_SKIP() << "python3-numpy is not installed";
  Model model = syntheticModel();
  for (const FrictionEffect effect : {FrictionEffect::kAsymmetric,
                                      FrictionEffect::kSqrtViscous,
                                      FrictionEffect::kQuadraticViscous,
                                      FrictionEffect::kRipple}) {
    Column column =
        frictionColumn(*model.robot, 0, effect, effect == FrictionEffect::kRipple ? 7.0 : 0.0);
    column.component = effect == FrictionEffect::kRipple ? 1 : 0;
    dynid::testing::appendEffect(model, column, 0.7);
  }
  model.verdicts.clear();
  const States states = someStates(40, 3);
  saveModel(file("model.json"), model);
  writeTextFile(file("states.json"), asJson(states));
  const auto predicted = runPython(std::string(DYNID_TESTS_DIR) + "/model/predict_torque.py " +
                                   file("model.json") + " " + file("states.json"));
  ASSERT_EQ(predicted.status, 0) << predicted.output;
  const Json efforts = Json::parse(predicted.output);
  const Eigen::MatrixXd ours = effortsByCause(model, states.q, states.dq, states.ddq).total();
  ASSERT_EQ(static_cast<Eigen::Index>(efforts.size()), ours.rows());
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j)
      EXPECT_NEAR(efforts.at(i).at(j).get<double>(), ours(i, j), 1e-11 * ours.cwiseAbs().maxCoeff())
          << "sample " << i << ", joint " << j;
}

TEST_F(ModelFile, FitsItsSchema) {
  if (!dynid::testing::pythonHas("jsonschema"))
    GTEST_SKIP() << "python3-jsonschema is not installed";
  Model bare = syntheticModel();
  bare.has_certificate = false;
  bare.verdicts.clear();
  Model full = syntheticModel();
  full.fit.log_agreement = {{"b.h5", 3, 1.0, 0.1, false, {}, {0.1, 0.02, 0.3}, {0.01, 0.2, 0.3}}};
  saveModel(file("full.json"), full);
  saveModel(file("bare.json"), bare);
  const std::string check = std::string(DYNID_TESTS_DIR) + "/model/check_schema.py " +
                            std::string(DYNID_DATASETS_DIR) + "/model.schema.json ";
  for (const char* name : {"full.json", "bare.json"}) {
    const auto checked = runPython(check + file(name));
    EXPECT_EQ(checked.status, 0) << name << ": " << checked.output;
  }
  std::string text = readTextFile(file("full.json"));
  text.replace(text.find("\"first_moment\""), 14, "\"first_momemt\"");
  writeTextFile(file("wrong.json"), text);
  const auto refused = runPython(check + file("wrong.json"));
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.output, ::testing::HasSubstr("first_moment"));
}

TEST_F(ModelFile, KeepsTheEffortsThatLogsNeed) {
  Model model = syntheticModel();
  model.fit.log_agreement = {{"b.h5", 3, 1.0, 0.1, false, {}, {0.1, 0.02, 0.3}, {0.01, 0.2, 0.3}},
                             {"c.h5", 3, 1.0, 0.1, false, {}}};  // as files before these figures
  saveModel(file("model.json"), model);
  const Model read = loadModel(file("model.json"));
  ASSERT_EQ(read.fit.log_agreement.size(), 2U);
  EXPECT_EQ(read.fit.log_agreement[0].apart, model.fit.log_agreement[0].apart);
  EXPECT_EQ(read.fit.log_agreement[0].residual, model.fit.log_agreement[0].residual);
  EXPECT_TRUE(read.fit.log_agreement[1].apart.empty());
}

}  // namespace
}  // namespace dynid
