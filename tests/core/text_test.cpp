#include "dynid/core/text.h"

#include "dynid/core/few_words.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

const std::vector<std::string> kNames = {"viscous", "coulomb", "offset", "load"};

TEST(DidYouMean, FindsSlipsOfTheFinger) {
  EXPECT_EQ(closestName("viscuos", kNames), "viscous");
  EXPECT_EQ(closestName("ofset", kNames), "offset");
  const std::vector<std::string> log_name = {"log"};
  EXPECT_EQ(closestName("lgo", log_name), "log");  // swapped neighbours are one slip
  EXPECT_EQ(closestName("temperature", kNames), std::nullopt);
  EXPECT_EQ(closestName("x", {}), std::nullopt);
  EXPECT_EQ(didYouMean("colomb", kNames), "; did you mean \"coulomb\"?");
  EXPECT_EQ(didYouMean("temperature", kNames), "");
}

TEST(DidYouMean, AnotherNumberIsNoSlip) {
  const std::vector<std::string> names = {"joint1", "joint2", "elbow_2", "wrist"};
  EXPECT_EQ(closestName("joint6", names), std::nullopt);
  EXPECT_EQ(closestName("jiont2", names), "joint2");
  EXPECT_EQ(closestName("joint_1", names), "joint1");
  EXPECT_EQ(closestName("wrist1", names), "wrist");
}

TEST(ParseFinite, TakesNumbersAndNothingElse) {
  EXPECT_EQ(parseFinite(" 1.5e-3\t"), 1.5e-3);
  EXPECT_EQ(parseFinite("+2"), 2.0);
  EXPECT_EQ(parseFinite("-.5"), -0.5);
  for (const char* bad :
       {"", " ", "1.5x", "1,5", "nan", "inf", "-inf", "1e999", "--1", "+-1", "0x10"})
    EXPECT_EQ(parseFinite(bad), std::nullopt) << bad;
}

TEST(ToPercent, HasThreeDigitsUnlessAskedForOthers) {
  EXPECT_EQ(toPercent(0.12345), "12.3 %");
  EXPECT_EQ(toPercent(1.0), "100 %");
  EXPECT_EQ(toPercent(0.016, 1), "2 %");
}

TEST(Words, SplitTrimJoin) {
  EXPECT_EQ(splitWords("  a\tb \n c "), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(splitWords(" \t").empty());
  EXPECT_EQ(trim(" \r\nx y\t"), "x y");
  EXPECT_EQ(join(std::vector<std::string>{"a", "b"}), "a, b");
  EXPECT_EQ(join(std::vector<std::string>{}), "");
  const std::vector<std::string> four = {"a", "b", "c", "d"};
  EXPECT_EQ(joinFew(four, 2), "a, b and 2 more");
  EXPECT_EQ(joinFew(four, 3), "a, b, c, d");
}

TEST(ToText, HasTheAskedDigits) {
  EXPECT_EQ(toText(0.0625), "0.0625");
  EXPECT_EQ(toText(1.0), "1");
  EXPECT_EQ(toText(1.0 / 3.0, 3), "0.333");
  EXPECT_EQ(parseFinite(toText(0.1, 17)), 0.1);
  EXPECT_EQ(parseFinite(toText(-1.0 / 3.0 * 1e-200, 17)), -1.0 / 3.0 * 1e-200);
}

TEST(TomlKey, IsQuotedWhereItMustBe) {
  EXPECT_EQ(tomlKey("arm_1-a"), "arm_1-a");
  EXPECT_EQ(tomlKey("left arm/j1"), "\"left arm/j1\"");
  EXPECT_EQ(tomlKey("a\"b\\"), "\"a\\\"b\\\\\"");
  EXPECT_EQ(tomlKey(""), "\"\"");
}

}  // namespace
}  // namespace dynid
