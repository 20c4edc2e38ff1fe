#include "dynid/math/quantile.h"

#include "dynid/math/random_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

TEST(Quantile, OfNothingIsNotANumber) {
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(quantile({}, 0.3)));
}

TEST(Quantile, TheMedianOfAnEvenNumberIsTheUpperOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({4.0, 1.0, 3.0, 2.0}), 3.0);
  EXPECT_EQ(median({7.0}), 7.0);
}

TEST(Quantile, AgreesWithSorting) {
  RandomStream random(3, 0);
  std::vector<double> values;
  for (int i = 0; i < 101; ++i) values.push_back(random.normal());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t rank = 0; rank < sorted.size(); ++rank)
    EXPECT_EQ(nthSmallest(values, rank), sorted[rank]);
  EXPECT_EQ(quantile(values, 0.0), sorted.front());
  EXPECT_EQ(quantile(values, 1.0), sorted.back());
  EXPECT_EQ(quantile(values, 0.256), sorted[25]);
}

TEST(Quantile, RefusesRanksAndSharesThatDoNotExist) {
  EXPECT_THROW(nthSmallest({1.0, 2.0}, 2), std::invalid_argument);
  EXPECT_THROW(quantile({1.0}, 1.5), std::invalid_argument);
  EXPECT_THROW(quantile({1.0}, std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
