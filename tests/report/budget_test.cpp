#include "dynid/report/budget.h"

#include "dynid/report/html.h"
#include "dynid/report/text.h"
#include "dynid/report/validation_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/synthetic_result.h"

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using dynid::testing::syntheticResult;
using ::testing::HasSubstr;
using ::testing::Not;

BudgetPart part(double first, double second, double share) {
  return {Eigen::Vector2d(first, second), Eigen::Vector2d::Constant(share)};
}

TorqueBudget someBudget() {
  TorqueBudget budget;
  budget.joints = {"lift", "turn"};
  budget.units = {"N", "N m"};
  budget.links = {"carriage", "arm"};
  budget.total = Eigen::Vector2d(10.0, 4.0);
  budget.samples = 100;
  for (BudgetPart& effect : budget.effect) effect = part(0.0, 0.0, 0.0);
  budget.effect[0] = part(1.0, 3.0, 0.1234);
  budget.effect[2] = part(9.0, 0.0, 0.8766);
  budget.link = {part(7.0, 0.0, 0.6), part(3.0, 3.0, 0.4)};
  budget.link_effect = {{part(0.5, 0.0, 0.02), part(0.0, 0.0, 0.0), part(6.5, 0.0, 0.58)},
                        {part(0.5, 3.0, 0.1), part(0.0, 0.0, 0.0), part(2.5, 0.0, 0.3)}};
  return budget;
}

TEST(Budget, TableLeavesOutWhatIsZero) {
  const std::vector<std::vector<std::string>> rows = budgetRows(someBudget());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[0], ::testing::ElementsAre("joint", "unit", "total", "inertia", "gravity"));
  EXPECT_THAT(rows[1], ::testing::ElementsAre("lift", "N", "10", "1 (12.3 %)", "9 (87.7 %)"));
  EXPECT_EQ(rows[2][4], "-");
}

TEST(Budget, NamesTheLargestParts) {
  const std::vector<std::string> lines = largestParts(someBudget());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "lift: gravity of carriage 6.5 N, gravity of arm 2.5 N");
  EXPECT_EQ(lines[1], "turn: inertia of arm 3 N m");
}

TEST(Budget, StandsInEveryReport) {
  const Model model = syntheticModel();
  ValidationResult result = syntheticResult(model);
  EXPECT_THAT(summaryOf(result), Not(HasSubstr("Torque budget")));
  EXPECT_THAT(htmlReport(model, {result}), Not(HasSubstr("Torque budget")));
  EXPECT_FALSE(Json::parse(toJson(result)).contains("budget"));
  result.budget = someBudget();
  EXPECT_THAT(summaryOf(result), HasSubstr("gravity of carriage 6.5 N"));
  EXPECT_THAT(htmlReport(model, {result}), HasSubstr("inertia of arm 3 N m"));
  const Json lift = Json::parse(toJson(result))["budget"]["lift"];
  EXPECT_EQ(lift["unit"], "N");
  EXPECT_EQ(lift["rms"], 10.0);
  EXPECT_EQ(lift["effects"]["gravity"]["share"], 0.8766);
  EXPECT_EQ(lift["links"]["carriage"]["gravity"]["rms"], 6.5);
}

}  // namespace
}  // namespace dynid
