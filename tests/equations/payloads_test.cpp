#include "dynid/equations/payloads.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <string>

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
            "`payload`: \"tool0\" is not FILE=link:mass with a mass in kg, for example "
            "log.h5=tool0:2.5");
  EXPECT_THAT(complaint({"", "", 1.0, std::nullopt, std::nullopt}, ""),
              HasSubstr("run.h5:/payload: carries a payload, but neither the log nor the robot "
                        "description says on which link"));
  EXPECT_THAT(complaint({"nowhere", "", 1.0, std::nullopt, std::nullopt}, ""),
              HasSubstr("run.h5:/payload: "));
}

}  // namespace
}  // namespace dynid
