// Mistakes of logs that `identify --apply-diagnosis` undoes, and what `validate` does with the
// model.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRobot = std::string(DYNID_SOURCE_DIR) + "/datasets/quickstart/arm.toml";

class ApplyDiagnosisTest : public ::testing::Test {
 protected:
  Outcome run(const std::string& command_line) const {
    RunOptions options;
    options.directory = directory_ / "";
    return dynid(argumentsOf(command_line), options);
  }
  void writeLog(const std::string& name, const std::function<void(RawBlock&)>& damage = {}) const {
    writeEditedLog(directory_ / name, [&](RawBlock& block, LogHeader&) {
      if (damage) damage(block);
    });
  }
  Outcome identify(const std::string& arguments) const {
    return run("dynid identify --robot " + kRobot + " " + arguments);
  }
  nlohmann::json modelIn(const std::string& name) const {
    return nlohmann::json::parse(readTextFile(directory_ / name));
  }

  TemporaryDirectory directory_;
};

/// The words of a text without line breaks and indentation.
std::string unwrapped(const std::string& text) {
  std::string words;
  for (const char c : text)
    if (c != '\n' && c != ' ')
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  return words;
}

void flipSecond(RawBlock& block) { block.effort.col(1) *= -1.0; }

TEST_F(ApplyDiagnosisTest, TheRefusalNamesTheOption) {
  writeLog("flipped.h5", flipSecond);
  const Outcome refused = identify("flipped.h5");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("(use --apply-diagnosis to identify as if that were undone"));
}

TEST_F(ApplyDiagnosisTest, AReversedSignIsUndoneSaidAndWrittenIntoTheModel) {
  writeLog("right.h5");
  writeLog("flipped.h5", flipSecond);
  const std::string digest = sha256OfFile(directory_ / "flipped.h5");
  ASSERT_EQ(identify("right.h5 --output right.json --quiet").status, 0);
  const Outcome assumed =
      identify("flipped.h5 --apply-diagnosis --output assumed.json --report report.html");
  ASSERT_EQ(assumed.status, 0) << assumed.err;
  EXPECT_EQ(sha256OfFile(directory_ / "flipped.h5"), digest);
  EXPECT_THAT(
      assumed.err,
      HasSubstr("is read under the assumption that the effort of joint_2 has the opposite"));
  EXPECT_THAT(unwrapped(assumed.out),
              AllOf(HasSubstr(": usable, under the assumption that the effort of joint_2 has the "
                              "opposite sign"),
                    HasSubstr("next: dynid validate --model assumed.json --apply-diagnosis")));
  EXPECT_THAT(readTextFile(directory_ / "report.html"),
              HasSubstr("under the assumption that the effort of joint_2 has the opposite sign"));

  const nlohmann::json model = modelIn("assumed.json");
  EXPECT_EQ(model.at("status").at("assumptions").size(), 1u);
  const nlohmann::json& assumption = model.at("provenance").at("logs").at(0).at("assumptions");
  EXPECT_EQ(assumption.at("texts").at(0), "the effort of joint_2 has the opposite sign");
  EXPECT_EQ(assumption.at("effort_factor").at(1), -1.0);
  EXPECT_EQ(assumption.at("time_factor"), 1.0);
  EXPECT_TRUE(assumption.at("position_factor").empty());
  // The model is that of the log without the mistake.
  const nlohmann::json right = modelIn("right.json");
  EXPECT_EQ(model.at("links"), right.at("links"));
  EXPECT_EQ(model.at("joints"), right.at("joints"));
  EXPECT_FALSE(right.at("provenance").at("logs").at(0).contains("assumptions"));
}

TEST_F(ApplyDiagnosisTest, ValidateReadsALogOfTheSameSourceInTheSameWay) {
  writeLog("right.h5");
  writeLog("flipped.h5", flipSecond);
  ASSERT_EQ(identify("flipped.h5 --apply-diagnosis --output m.json --quiet").status, 0);

  const Outcome as_it_is = run("dynid validate --model m.json flipped.h5");
  EXPECT_EQ(as_it_is.status, 1);
  EXPECT_THAT(unwrapped(as_it_is.out),
              AllOf(HasSubstr("the model was identified under the assumption that the effort of "
                              "joint_2 has the opposite sign; if this log is read in the same way"),
                    HasSubstr("validate with --apply-diagnosis")));

  const Outcome assumed = run("dynid validate --model m.json --apply-diagnosis flipped.h5");
  EXPECT_EQ(assumed.status, 0) << assumed.out;
  EXPECT_THAT(
      unwrapped(assumed.out),
      HasSubstr("PASSED, under the assumption that the effort of joint_2 has the opposite"));

  const Outcome corrected = run("dynid validate --model m.json right.h5");
  EXPECT_EQ(corrected.status, 0) << corrected.out;
  EXPECT_THAT(unwrapped(corrected.out), HasSubstr("this log was read as it is"));
  const Outcome wrongly = run("dynid validate --model m.json --apply-diagnosis right.h5");
  EXPECT_EQ(wrongly.status, 1);
  EXPECT_THAT(unwrapped(wrongly.out),
              HasSubstr("if this log is already corrected, leave --apply-diagnosis out"));
}

TEST_F(ApplyDiagnosisTest, ValidateRefusesTheOptionWhereNothingSharedWasAssumed) {
  writeLog("right.h5");
  writeLog("flipped.h5", flipSecond);
  ASSERT_EQ(identify("right.h5 --apply-diagnosis --output plain.json --quiet").status, 0);
  EXPECT_TRUE(modelIn("plain.json").at("status").at("assumptions").empty());
  const Outcome nothing = run("dynid validate --model plain.json --apply-diagnosis right.h5");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("the model was identified without assumptions"));

  const Outcome both = identify("right.h5 flipped.h5 --apply-diagnosis --output both.json");
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("next: dynid validate --model both.json HELDOUT.h5"))
      << "it is open what holds for other logs";
  EXPECT_THAT(modelIn("both.json").at("status").at("assumptions").dump(),
              HasSubstr("the effort of joint_2 has the opposite sign in flipped.h5"));
  const Outcome open = run("dynid validate --model both.json --apply-diagnosis right.h5");
  EXPECT_EQ(open.status, 2);
  EXPECT_THAT(open.err,
              HasSubstr("not identified under the same assumptions about all of its logs"));
}

TEST_F(ApplyDiagnosisTest, TwoMistakesAreUndone) {
  writeLog("right.h5");
  writeLog("two.h5", [](RawBlock& block) {
    block.effort.col(1) *= -1.0;
    block.position.col(2) *= -1.0;
    block.velocity.col(2) *= -1.0;
  });
  ASSERT_EQ(identify("right.h5 --output right.json --quiet").status, 0);
  const Outcome assumed = identify("two.h5 --apply-diagnosis --output m.json");
  ASSERT_EQ(assumed.status, 0) << assumed.err;
  EXPECT_EQ(modelIn("m.json").at("status").at("assumptions").size(), 2u);
  EXPECT_EQ(modelIn("m.json").at("links"), modelIn("right.json").at("links"));
}

TEST_F(ApplyDiagnosisTest, WhatCannotBeUndoneIsRefusedAllTheSame) {
  writeLog("dead.h5", [](RawBlock& block) { block.effort.col(1).setZero(); });
  const Outcome refused = identify("dead.h5 --apply-diagnosis");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, Not(HasSubstr("use --apply-diagnosis")));
}

TEST_F(ApplyDiagnosisTest, IsNotAdvisedWhereItIsInUse) {
  writeLog("clipped.h5", [](RawBlock& block) {
    const double limit = 0.5 * block.position.col(1).maxCoeff();
    block.position.col(1) = block.position.col(1).cwiseMin(limit);
  });
  EXPECT_THAT(identify("clipped.h5").err, HasSubstr("(use --apply-diagnosis to undo what the"));
  const Outcome refused = identify("clipped.h5 --apply-diagnosis");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("(--apply-diagnosis cannot undo that; use --force to continue"),
                    Not(HasSubstr("use --apply-diagnosis"))));
}

TEST_F(ApplyDiagnosisTest, AnglesThatWrapInALogAreMadeContinuousAndSaid) {
  writeLog("right.h5");
  writeLog("wrapped.h5", [](RawBlock& block) {
    for (double& q : block.position.col(0))
      if (q < 0.0) q += 2.0 * std::numbers::pi;
  });
  ASSERT_EQ(identify("right.h5 --output right.json --quiet").status, 0);
  const Outcome wrapped = identify("wrapped.h5 --output wrapped.json");
  ASSERT_EQ(wrapped.status, 0) << wrapped.err;
  EXPECT_THAT(unwrapped(wrapped.out),
              AllOf(HasSubstr("the angle wraps at a full turn ("),
                    HasSubstr("it is made continuous while the log is read, the file is "
                              "unchanged")));
  const nlohmann::json right = modelIn("right.json"), model = modelIn("wrapped.json");
  for (const auto& [link, values] : right.at("links").items())
    EXPECT_NEAR(model.at("links").at(link).at("mass"), values.at("mass").get<double>(), 1e-6);
}

TEST_F(ApplyDiagnosisTest, StatisticsDoNotRecordAssumptions) {
  writeLog("flipped.h5", flipSecond);
  const Outcome refused = identify("flipped.h5 --apply-diagnosis --save-statistics s.h5");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("statistics do not record what --apply-diagnosis assumed"));
}

}  // namespace
}  // namespace dynid
