#include "dynid/robot/remarks.h"

#include <gmock/gmock.h>

namespace dynid {
namespace {

using ::testing::ElementsAre;

TEST(Remarks, EachKindIsOneLineInTheOrderOfItsFirstName) {
  Remarks remarks;
  remarks.add("zero mass: links", "b");
  remarks.add("no limit: joints", "j");
  remarks.add("zero mass: links", "a");
  EXPECT_THAT(remarks.lines(), ElementsAre("zero mass: links b, a", "no limit: joints j"));
}

TEST(Remarks, LongListsAreShortened) {
  Remarks remarks;
  for (int i = 0; i < 33; ++i) remarks.add("links", std::to_string(i));
  ASSERT_EQ(remarks.lines().size(), 1u);
  EXPECT_TRUE(remarks.lines()[0].ends_with("28, 29 and 3 more"));
}

}  // namespace
}  // namespace dynid
