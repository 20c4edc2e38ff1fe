#include "dynid/logs/units.h"

#include <gtest/gtest.h>

#include <numbers>
#include <tuple>

namespace dynid {
namespace {

TEST(Units, SpellingsOfTheSameUnit) {
  for (const char* text : {"N m", "Nm", "N*m", "N.m", "N·m", " N  m "}) {
    const auto unit = parseUnit(Quantity::kEffort, text);
    ASSERT_TRUE(unit) << text;
    EXPECT_EQ(unit->to_si, 1.0) << text;
    EXPECT_FALSE(unit->linear) << text;
  }
  for (const char* text : {"rad/s^2", "rad/s2", "rad/s²", "rad/s**2", "RAD/S^2", "rad s^-2"})
    EXPECT_TRUE(parseUnit(Quantity::kAcceleration, text)) << text;
}

TEST(Units, FactorsToSi) {
  const std::tuple<Quantity, const char*, double, bool> cases[] = {
      {Quantity::kTime, "ms", 1e-3, false},
      {Quantity::kTime, "us", 1e-6, false},
      {Quantity::kTime, "µs", 1e-6, false},
      {Quantity::kTime, "ns", 1e-9, false},
      {Quantity::kTime, "h", 3600.0, false},
      {Quantity::kTime, "d", 86400.0, false},
      {Quantity::kPosition, "deg", kTurn / 360, false},
      {Quantity::kPosition, "mm", 1e-3, true},
      {Quantity::kVelocity, "rpm", kTurn / 60, false},
      {Quantity::kVelocity, "deg/s", kTurn / 360, false},
      {Quantity::kAcceleration, "mm/s^2", 1e-3, true},
      {Quantity::kEffort, "mN m", 1e-3, false},
      {Quantity::kEffort, "N", 1.0, true},
      {Quantity::kEffort, "kN", 1e3, true},
      {Quantity::kEffort, "lbf in", 0.1129848290276167, false},
      {Quantity::kCurrent, "mA", 1e-3, false}};
  for (const auto& [quantity, text, factor, linear] : cases) {
    const auto unit = parseUnit(quantity, text);
    ASSERT_TRUE(unit) << text;
    EXPECT_NEAR(unit->to_si, factor, 1e-15 * factor) << text;
    EXPECT_EQ(unit->linear, linear) << text;
  }
}

TEST(Units, OthersAreUnknown) {
  EXPECT_FALSE(parseUnit(Quantity::kPosition, ""));
  EXPECT_FALSE(parseUnit(Quantity::kPosition, "rad/s"));
  EXPECT_FALSE(parseUnit(Quantity::kPosition, "rad (joint insertion: m)"));
  EXPECT_FALSE(parseUnit(Quantity::kEffort, "A"));
  EXPECT_FALSE(parseUnit(Quantity::kEffort, "MN m"));  // mega is not milli
  EXPECT_FALSE(parseUnit(Quantity::kCurrent, "ma"));
}

TEST(Units, WordsAfterTheUnit) {
  EXPECT_TRUE(parseUnitPrefix(Quantity::kCurrent, "A (torso: driver units)"));
  EXPECT_FALSE(parseUnitPrefix(Quantity::kEffort, "N m motor side")->linear);
  EXPECT_FALSE(parseUnitPrefix(Quantity::kEffort, "N m (motor side)")->linear);
  EXPECT_TRUE(parseUnitPrefix(Quantity::kEffort, "N along the axis")->linear);
  EXPECT_FALSE(parseUnitPrefix(Quantity::kEffort, "driver units"));
}

TEST(Units, WhatIsWrittenIsRead) {
  for (const Quantity quantity : {Quantity::kTime,
                                  Quantity::kPosition,
                                  Quantity::kVelocity,
                                  Quantity::kAcceleration,
                                  Quantity::kEffort,
                                  Quantity::kCurrent})
    EXPECT_EQ(parseUnit(quantity, siUnit(quantity, false))->to_si, 1.0);
}

}  // namespace
}  // namespace dynid
