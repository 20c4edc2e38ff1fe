#include "dynid/signals/decimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace dynid {
namespace {

TEST(Decimate, NyquistOfWhatIsKeptIsAtLeastTwiceTheCutOffAndNotMuchMore) {
  for (const double rate : {50.0, 93.7, 250.0, 1000.0, 5000.0}) {
    for (const double cutoff : {0.5, 2.0, 5.0, 8.3}) {
      const int factor = decimationFactor(rate, cutoff);
      const double nyquist = 0.5 * rate / factor;
      if (factor > 1) {
        EXPECT_GE(nyquist, 2.0 * cutoff);
      }
      EXPECT_LT(0.5 * rate / (factor + 1), 2.0 * cutoff);
    }
  }
}

TEST(Decimate, PhaseIsThatOfTheGridOnBothSidesOfItsOrigin) {
  EXPECT_TRUE(isKept(-6, 3));
  EXPECT_FALSE(isKept(-5, 3));
  EXPECT_TRUE(isKept(0, 3));
  EXPECT_TRUE(isKept(9, 3));
  EXPECT_FALSE(isKept(10, 3));
}

TEST(Decimate, RefusesWhatIsNotPositive) {
  EXPECT_THAT([] { decimationFactor(100.0, 0.0); },
              testing::ThrowsMessage<std::invalid_argument>(
                  testing::HasSubstr("rate is 100 Hz and the cut-off 0 Hz")));
}

}  // namespace
}  // namespace dynid
