#include "dynid/report/text.h"

#include "dynid/model/json_text.h"
#include "dynid/report/model_tables.h"
#include "dynid/report/numbers.h"
#include "dynid/report/validation_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/synthetic_result.h"
#include <cmath>
#include <memory>
#include <sstream>
#include <string>

namespace dynid {
namespace {

using dynid::testing::someFindings;
using dynid::testing::syntheticModel;
using dynid::testing::syntheticResult;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ModelTables, ChannelsOfCoupledDrivesAreNamedAfterTheDrives) {
  Model model = syntheticModel();
  EXPECT_EQ(channelName(model, 0), "shoulder");
  EXPECT_EQ(channelName(model, 1), "m5 (drive)");
  EXPECT_EQ(jointRows(model)[2][0], "m5 (drive)");
  EXPECT_EQ(channelUnit(model, 1), "N m");
  Robot robot = *model.robot;
  robot.joints[0].prismatic = robot.joints[2].prismatic = true;
  model.robot = std::make_shared<Robot>(robot);
  EXPECT_EQ(channelUnit(model, 0), "N");
  EXPECT_EQ(channelUnit(model, 1), "N m (a linear drive: N)");
  model.effort_unit = "A";
  EXPECT_EQ(channelUnit(model, 1), "A");
}

TEST(Numbers, AreShownForPeople) {
  EXPECT_EQ(shown(3.14159), "3.142");
  EXPECT_EQ(shown(2184.3, 3), "2184");
  EXPECT_EQ(shown(2.5e9, 3), "2.5e+09");
  EXPECT_EQ(shown(std::nan("")), "n/a");
  EXPECT_EQ(shown(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(shownPercent(0.1234), "12.3 %");
  EXPECT_EQ(shownR2(0.9995), "0.9995");
  EXPECT_EQ(shownR2(0.87654), "0.877");
  EXPECT_EQ(shownR2(1.0), "1");
  EXPECT_EQ(shownCount(123456789.0), "123456789");
}

TEST(Numbers, TablesAlignByWhatIsSeen) {
  EXPECT_EQ(alignedTable({{"a", "x"}, {"m²", "12"}}, 0), "a    x\nm²  12\n");
}

TEST(Numbers, TextWraps) { EXPECT_EQ(wrappedText("aaa bbb ccc", 1, 2, 8), " aaa bbb\n   ccc\n"); }

TEST(Text, OfAnIdentification) {
  const std::string text =
      summaryOf(Identification{syntheticModel(), {someFindings()}, {"a.h5"}}, true);
  EXPECT_THAT(text, HasSubstr("Audit of a.h5"));
  EXPECT_THAT(text,
              HasSubstr("warning: elbow: logged velocity lags by 5 ms -> nothing, it is not used"));
  EXPECT_THAT(text, HasSubstr("Model of threelink: usable: good on \"all\" counts"));
  EXPECT_THAT(
      text,
      HasSubstr("a.h5: 20000 samples read, 12345 used (about one in 2: the low-pass of 7.5 Hz "
                "leaves"));
  EXPECT_THAT(text, HasSubstr("optimal, certified relative gap 3.1e-10"));
  EXPECT_THAT(text, HasSubstr("the optimum is at the bound upper.mass >= 2"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "badly excited by these logs (as uncertain as large, and large enough to matter): "));
  EXPECT_THAT(text, HasSubstr("upper.Iyy"));
}

// A second Coulomb term is named with its value: the table has a column for the first only.
TEST(Text, ShowsTheErrorsOfWrenchSensors) {
  Model model = testing::syntheticModel();
  model.fit.per_sensor = {{"base/wrench", 0.012, 0.034}};
  EXPECT_THAT(summaryOf(model), HasSubstr("base/wrench"));
  EXPECT_EQ(sensorRows(model)[1], (std::vector<std::string>{"base/wrench", "1.2 %", "3.4 %", "0"}));
}

TEST(ModelTables, NameHysteresisAndSaturation) {
  Model model = syntheticModel();
  const auto further = [&](double presliding, double smoothing) {
    Model other = model;
    for (const double value : {2.0, 1.25}) {
      Column column = frictionColumn(*model.robot, 0, FrictionEffect::kCoulomb);
      column.name += "@further" + std::to_string(value);
      if (value == 1.25) {
        column.presliding = presliding;
        column.smoothing = smoothing;
      }
      other.layout.append(column);
      other.parameters.conservativeResize(other.layout.size());
      other.parameters(other.layout.size() - 1) = value;
    }
    return frictionRows(other).at(1).back();
  };
  EXPECT_THAT(further(0.03, 0.0), HasSubstr("hysteresis 1.25"));
  EXPECT_THAT(further(0.0, 0.5), HasSubstr("saturation 1.25"));
}

TEST(Text, SaysWhenTheFitFailed) {
  Model model = syntheticModel();
  model.status = {false, "the bounds contradict each other"};
  model.consistency = {};
  model.consistency.reason = "the bounds contradict each other";
  EXPECT_THAT(
      summaryOf(model),
      AllOf(HasSubstr("NOT USABLE: the bounds contradict"),
            HasSubstr("Physically consistent fit: FAILED: the bounds contradict each other")));
}

TEST(Text, OfAValidation) {
  const ValidationResult result = syntheticResult(syntheticModel());
  const std::string text = summaryOf(result);
  EXPECT_THAT(
      text, HasSubstr("heldout <7> & co.h5: " + std::string(result.passed ? "PASSED" : "FAILED")));
  EXPECT_THAT(text, HasSubstr("physically_consistent: passed"));
  EXPECT_THAT(text, HasSubstr("certificate: not verifiable"));
  EXPECT_THAT(text, HasSubstr("this model is better than old"));
  EXPECT_THAT(text, HasSubstr("low-passed at 7.5 Hz"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 140U) << line;
}

TEST(Text, TheErrorByWhichALogIsJudgedComesFirst) {
  ValidationResult result = syntheticResult(syntheticModel());
  result.relative_error = 0.25;
  result.relative_error_moving = 0.016;
  result.judged_by_motion = false;
  EXPECT_THAT(summaryOf(result), HasSubstr(", relative error 25 % over "));
  result.judged_by_motion = true;
  EXPECT_THAT(summaryOf(result),
              HasSubstr(", relative error 1.6 % while moving (25 % of all samples) over "));
}

TEST(Text, OfACleanAudit) { EXPECT_EQ(summaryOf(std::vector<Finding>{}), "  no findings\n"); }

TEST(ValidationJson, HoldsTheKeysThatOthersRelyOn) {
  ValidationResult result = syntheticResult(syntheticModel());
  result.per_joint[2].r2 = std::nan("");
  const Json json = Json::parse(toJson(result));
  for (const char* path : {"/verdict",
                           "/relative_error",
                           "/relative_error_moving",
                           "/judged_by_motion",
                           "/per_joint/elbow/rmse",
                           "/per_joint/elbow/relative_error",
                           "/per_joint/elbow/r2",
                           "/per_joint/elbow/rmse_moving",
                           "/per_joint/elbow/relative_error_moving",
                           "/per_joint/elbow/max_abs",
                           "/per_joint/elbow/bias",
                           "/filtered/cutoff_hz",
                           "/filtered/per_joint/elbow/rmse",
                           "/samples",
                           "/checks/physically_consistent",
                           "/checks/certificate",
                           "/checks/energy_balance/value",
                           "/against/0/p_value",
                           "/reasons",
                           "/notes"})
    EXPECT_TRUE(json.contains(Json::json_pointer(path))) << path;
  EXPECT_EQ(json.at("verdict"), result.passed ? "passed" : "failed");
  EXPECT_EQ(json.at("relative_error").get<double>(), result.relative_error);
  EXPECT_EQ(json.at("per_joint").at("elbow").at("bias").get<double>(), result.per_joint[1].bias);
  EXPECT_TRUE(json.at("per_joint").at("wrist").at("r2").is_null());
  EXPECT_EQ(json.at("checks").at("certificate").at("outcome"), "not verifiable");
}

}  // namespace
}  // namespace dynid
