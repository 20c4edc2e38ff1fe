#include "dynid/equations/payloads.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Payloads : public testing::Test {
 protected:
  std::string complaint(const PayloadNote& note, const std::string& option) const {
    try {
      collectPayloads(robot_, {note}, {option}, {"run.h5"});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no complaint";
  }
  const Robot robot_ = randomRobot(1, {});
  const std::string link_ = robot_.bodies.back().name;
};

TEST_F(Payloads, LogsThatGiveTheSameNameShareAPayload) {
  const PayloadNote box{link_, "box", 2.0, std::nullopt, std::nullopt};
  const PayloadNote nameless{link_, "", 1.0, std::nullopt, std::nullopt};
  const PayloadTable table = collectPayloads(
      robot_, {box, std::nullopt, box, nameless}, {"", "", "", ""}, {"a", "b", "c", "d"});
  EXPECT_THAT(table.of_log, ElementsAre(0, -1, 0, 1));
  ASSERT_EQ(table.payloads.size(), 2u);
  EXPECT_EQ(table.payloads[1].name, "payload d");
  EXPECT_EQ(table.payloads[0].known(0), 2.0);
  EXPECT_TRUE(std::isnan(table.payloads[0].known(1)));
}

// The centre of mass of another payload says nothing about the stated one.
TEST_F(Payloads, AStatedPayloadReplacesTheValuesOfTheLog) {
  const PayloadNote note{"elsewhere", "box", 2.0, Eigen::Vector3d(0.1, 0.0, 0.0), std::nullopt};
  const PayloadTable table = collectPayloads(robot_, {note}, {link_ + ":3"}, {"run.h5"});
  ASSERT_EQ(table.payloads.size(), 1u);
  EXPECT_EQ(table.payloads[0].name, "box");
  EXPECT_EQ(table.payloads[0].link, link_);
  EXPECT_EQ(table.payloads[0].known(0), 3.0);
  EXPECT_TRUE(std::isnan(table.payloads[0].known(1)));
}

// Otherwise the values of the second log were ignored.
TEST_F(Payloads, UnnamedPayloadsOfDifferentFilesAreDifferent) {
  const PayloadNote two{link_, "", 2.0, std::nullopt, std::nullopt};
  const PayloadNote five{link_, "", 5.0, std::nullopt, std::nullopt};
  const std::vector<std::filesystem::path> files = {
      "day1/a/run.h5", "day1/b/run.h5", "day2/b/run.h5", "day1/a/../a/run.h5", "last.h5"};
  const PayloadTable table = collectPayloads(
      robot_, {two, five, std::nullopt, two, two}, {"", "", link_ + ":3", "", ""}, files);
  EXPECT_THAT(table.of_log, ElementsAre(0, 1, 2, 0, 3));
  std::vector<std::string> names;
  for (const Payload& payload : table.payloads) names.push_back(payload.name);
  ASSERT_THAT(
      names,
      ElementsAre(
          "payload a/run.h5", "payload day1/b/run.h5", "payload day2/b/run.h5", "payload last.h5"));
  EXPECT_EQ(table.payloads[1].known(0), 5.0);
  EXPECT_EQ(table.payloads[2].known(0), 3.0);
  for (size_t i = 0; i < files.size(); ++i)
    EXPECT_TRUE(namesPayloadOf(names.at(table.of_log[i]), files[i]));
  EXPECT_FALSE(namesPayloadOf(names[0], files[1]));
  EXPECT_TRUE(namesPayloadOf("payload run.h5", files[1]));
}

TEST_F(Payloads, LogsOfOnePayloadCompleteEachOther) {
  const PayloadNote unknown{link_, "box", std::nan(""), std::nullopt, std::nullopt};
  const PayloadNote mass{link_, "box", 2.0, std::nullopt, std::nullopt};
  const PayloadNote com{link_, "box", 2.0, Eigen::Vector3d(0.1, 0.0, 0.2), std::nullopt};
  const PayloadTable table =
      collectPayloads(robot_, {unknown, mass, com}, {"", "", ""}, {"a", "b", "c"});
  EXPECT_THAT(table.of_log, ElementsAre(0, 0, 0));
  ASSERT_EQ(table.payloads.size(), 1u);
  EXPECT_EQ(table.payloads[0].known(0), 2.0);
  EXPECT_EQ(table.payloads[0].known(1), 0.2);
  EXPECT_TRUE(std::isnan(table.payloads[0].known(4)));
}

TEST_F(Payloads, DifferentPayloadsOfOneNameAreRefused) {
  const auto refusal = [&](const PayloadNote& first, const PayloadNote& second) -> std::string {
    try {
      collectPayloads(robot_, {first, second}, {"", ""}, {"x/a.h5", "y/b.h5"});
    } catch (const InputError& error) {
      return error.what();
    }
    return "no complaint";
  };
  const PayloadNote tool{link_, "tool", 2.0, Eigen::Vector3d(0.1, 0.0, 0.2), std::nullopt};
  PayloadNote heavier = tool, shifted = tool, elsewhere = tool;
  heavier.mass = 5.0;
  shifted.com = Eigen::Vector3d(0.1, 0.0, 0.3);
  elsewhere.link = robot_.bodies.front().name;
  EXPECT_EQ(refusal(tool, heavier),
            "x/a.h5:/payload and y/b.h5:/payload: the payload \"tool\" has m = 2 kg and m = 5 kg; "
            "payloads of the same name are one payload: correct the values, or give different "
            "payloads different names (`payload/name` in the logs)");
  EXPECT_THAT(refusal(tool, shifted), HasSubstr("has mz = 0.4 kg m and mz = 0.6 kg m;"));
  EXPECT_THAT(refusal(tool, elsewhere),
              HasSubstr("is on the link \"" + link_ + "\" and on \"" + elsewhere.link + "\";"));
  EXPECT_EQ(refusal(tool, tool), "no complaint");
}

TEST_F(Payloads, TheCommandLineOverridesTheLog) {
  const PayloadNote box{"nowhere", "box", 2.0, std::nullopt, std::nullopt};
  const PayloadTable table = collectPayloads(robot_, {box}, {link_ + ":3.5"}, {"a"});
  EXPECT_EQ(table.payloads.at(0).link, link_);
  EXPECT_EQ(table.payloads.at(0).known(0), 3.5);
}

TEST_F(Payloads, TheirColumnsAreAppendedToTheLayoutGiven) {
  const PayloadNote box{link_, "box", 2.0, std::nullopt, std::nullopt};
  const PayloadTable table = collectPayloads(robot_, {box}, {""}, {"a"});
  ParameterLayout layout = inertialLayout(robot_);
  const int before = layout.size();
  const std::vector<Payload> placed = appendPayloadColumns(table.payloads, layout);
  EXPECT_EQ(placed.at(0).placement.first_column, before);
  EXPECT_EQ(table.payloads.at(0).placement.first_column, -1);
  ASSERT_EQ(layout.size(), before + 10);
  EXPECT_EQ(layout[before].name, "box.m");
  EXPECT_EQ(layout[before].carrier, placed[0].placement.body);
  EXPECT_EQ(distinctPlacements(placed, true).size(), 2u);
  EXPECT_EQ(distinctPlacements(placed, false).size(), 1u);
}

TEST_F(Payloads, MistakesAreNamed) {
  EXPECT_EQ(complaint({link_, "", 1.0, std::nullopt, std::nullopt}, "tool0"),
            "`payload`: \"tool0\" is not LINK:MASS with a mass in kg, as in tool0:2.5");
  EXPECT_THAT(complaint({"", "", 1.0, std::nullopt, std::nullopt}, ""),
              HasSubstr("run.h5:/payload: carries a payload, but neither the log nor the robot "
                        "description says on which link"));
  EXPECT_THAT(complaint({"nowhere", "", 1.0, std::nullopt, std::nullopt}, ""),
              HasSubstr("run.h5:/payload: "));
  const Eigen::Matrix<double, 6, 1> needle{{1e-3, 0.0, 0.0, 1e-3, 0.0, 0.01}};
  EXPECT_THAT(complaint({link_, "", 1.0, Eigen::Vector3d::Zero(), needle}, ""),
              HasSubstr("run.h5:/payload: link payload: Ixx + Iyy < Izz by 80 %: no body"));
  // A point, as a description without inertia means it
  EXPECT_EQ(complaint({link_, "", 1.0, Eigen::Vector3d::Zero(), 0.0 * needle}, ""), "no complaint");
}

}  // namespace
}  // namespace dynid
