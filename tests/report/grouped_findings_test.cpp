#include "dynid/report/grouped_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dynid {
namespace {

using ::testing::SizeIs;

Finding late(int joint, const std::string& name, const std::string& ms) {
  return {Finding::Severity::kRepaired,
          "velocity-lag",
          joint,
          name + ": the logged velocity is " + ms + " ms later than d(position)/dt",
          0.1,
          "derived from the position"};
}

TEST(GroupedFindings, OneForAllJointsWithTheRangeOfTheNumbers) {
  const std::vector<Finding> grouped =
      groupedFindings({late(0, "torso", "188"), late(1, "arm_1", "182"), late(2, "arm_2", "193")});
  ASSERT_THAT(grouped, SizeIs(1));
  EXPECT_EQ(grouped[0].message,
            "torso, arm_1, arm_2: the logged velocity is 182 to 193 ms later than d(position)/dt");
  EXPECT_EQ(grouped[0].joint, -1);
  EXPECT_EQ(grouped[0].code, "velocity-lag");
  EXPECT_EQ(grouped[0].remedy, "derived from the position");
}

TEST(GroupedNotes, OneForAllJoints) {
  ValidationResult result;
  for (const char* joint : {"elbow", "wrist"}) {
    result.per_joint.emplace_back();
    result.per_joint.back().joint = joint;
  }
  result.notes = {"elbow: 3 % at rest", "the log is short", "wrist: 5 % at rest"};
  EXPECT_THAT(groupedNotes(result),
              ::testing::ElementsAre("elbow, wrist: 3 to 5 % at rest", "the log is short"));
}

TEST(GroupedFindings, NumbersStandWhereTheyAreEqual) {
  const std::vector<Finding> grouped =
      groupedFindings({late(0, "torso", "188"), late(1, "arm_1", "188")});
  ASSERT_THAT(grouped, SizeIs(1));
  EXPECT_EQ(grouped[0].message,
            "torso, arm_1: the logged velocity is 188 ms later than d(position)/dt");
}

TEST(GroupedFindings, OtherWordsSeveritiesAndRemediesStayApart) {
  std::vector<Finding> findings = {
      late(0, "torso", "188"), late(1, "arm_1", "182"), late(2, "arm_2", "193")};
  findings[1].severity = Finding::Severity::kWarning;
  findings[2].message = "arm_2: the logged velocity is missing";
  EXPECT_THAT(groupedFindings(findings), SizeIs(3));
  findings = {late(0, "torso", "188"), late(1, "arm_1", "182")};
  findings[1].remedy = "another one";
  EXPECT_THAT(groupedFindings(findings), SizeIs(2));
}

TEST(GroupedFindings, WhatConcernsTheWholeLogStaysAsItIs) {
  Finding gap;
  gap.message = "a gap: 3 s";
  const std::vector<Finding> grouped = groupedFindings({gap, gap, late(4, "wrist", "1")});
  ASSERT_THAT(grouped, SizeIs(3));
  EXPECT_EQ(grouped[0].message, "a gap: 3 s");
  EXPECT_EQ(grouped[2].message, "wrist: the logged velocity is 1 ms later than d(position)/dt");
  EXPECT_EQ(grouped[2].joint, 4);
}

TEST(GroupedFindings, NamesWithDigitsAreNoNumbers) {
  Finding a = late(0, "joint_1", "5"), b = late(1, "joint_2", "5");
  a.message = "joint_1: looks like joint_3";
  b.message = "joint_2: looks like joint_4";
  EXPECT_THAT(groupedFindings({a, b}), SizeIs(2));
}

}  // namespace
}  // namespace dynid
