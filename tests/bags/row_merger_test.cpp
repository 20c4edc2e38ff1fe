#include "dynid/bags/row_merger.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMs = 1'000'000;

struct Rows {
  std::vector<std::int64_t> times;
  std::vector<std::vector<double>> values;
  RowMerger::Output output() {
    return [this](std::int64_t time, std::span<const double> row) {
      times.push_back(time);
      values.emplace_back(row.begin(), row.end());
    };
  }
};

TEST(RowMerger, RowsOutOfOrderAreSorted) {
  Rows rows;
  RowMerger merger(1, {}, rows.output());
  std::vector<std::int64_t> times(20000);
  for (size_t i = 0; i < times.size(); ++i) times[i] = static_cast<std::int64_t>(i) * kMs;
  std::mt19937 random(1);
  for (size_t i = 0; i + 500 < times.size(); i += 500)
    std::shuffle(
        times.begin() + static_cast<long>(i), times.begin() + static_cast<long>(i + 500), random);
  for (const std::int64_t time : times)
    merger.row(time, std::vector<double>{static_cast<double>(time)});
  merger.finish();
  EXPECT_TRUE(std::is_sorted(rows.times.begin(), rows.times.end()));
  EXPECT_EQ(rows.times.size(), times.size());
  EXPECT_GT(merger.sorted(), 0);
  EXPECT_EQ(merger.late(), 0);
}

TEST(RowMerger, AStraightLineIsInterpolatedExactly) {
  Rows rows;
  RowMerger merger(2, {{{1}, true, 10.0 * kMs}}, rows.output());
  for (int i = 0; i <= 10; ++i) {
    merger.sample(0, 10 * i * kMs, std::vector<double>{2.0 * i});
    merger.row((10 * i + 5) * kMs, std::vector<double>{1.0 * i, kNaN});
  }
  merger.finish();
  for (size_t i = 0; i < 10; ++i)
    EXPECT_NEAR(rows.values[i][1], 2.0 * static_cast<double>(i) + 1.0, 1e-12);
  EXPECT_TRUE(std::isnan(rows.values[10][1])) << "no value is held behind the last sample";
  EXPECT_EQ(merger.missing(0), 1);
}

TEST(RowMerger, TheNearestSampleKeepsItsValue) {
  Rows rows;
  RowMerger merger(1, {{{0}, false, 10.0 * kMs}}, rows.output());
  for (int i = 0; i < 5; ++i) {
    merger.row(10 * i * kMs, std::vector<double>{kNaN});
    merger.sample(0, (10 * i + 3) * kMs, std::vector<double>{1.0 * i});
  }
  merger.finish();
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(rows.values[i][0], static_cast<double>(i));
}

TEST(RowMerger, NothingIsTakenAcrossAGap) {
  Rows rows;
  RowMerger merger(1, {{{0}, true, 10.0 * kMs}}, rows.output());
  for (const int t : {0, 10, 200, 210}) merger.sample(0, t * kMs, std::vector<double>{1.0 * t});
  for (const int t : {-5, 5, 100, 195, 200, 210, 215})
    merger.row(t * kMs, std::vector<double>{kNaN});
  merger.finish();
  const std::vector<double> expected = {kNaN, 5.0, kNaN, kNaN, 200.0, 210.0, kNaN};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::isnan(rows.values[i][0]), std::isnan(expected[i])) << i;
    if (!std::isnan(expected[i])) {
      EXPECT_EQ(rows.values[i][0], expected[i]);
    }
  }
  EXPECT_EQ(merger.missing(0), 4);
}

TEST(RowMerger, AClockThatJumpsBackBeginsAnew) {
  Rows rows;
  RowMerger merger(1, {}, rows.output());
  for (const std::int64_t s : {100, 101, 0, 1})
    merger.row(s * 1000 * kMs, std::vector<double>{0.0});
  merger.finish();
  EXPECT_THAT(rows.times, ElementsAre(100000 * kMs, 101000 * kMs, 0, 1000 * kMs));
  EXPECT_EQ(merger.jumps(), 1);
}

// A topic that stops must not make the merger keep all rows in memory.
TEST(RowMerger, ASilentSeriesDoesNotHoldTheRows) {
  Rows rows;
  RowMerger merger(100, {{{0}, true, 10.0 * kMs}}, rows.output());
  const std::vector<double> row(100, kNaN);
  for (int i = 0; i < 100000; ++i) merger.row(i * kMs, row);
  EXPECT_GT(rows.times.size(), 70000U);
  merger.finish();
  EXPECT_EQ(rows.times.size(), 100000U);
  EXPECT_EQ(merger.missing(0), 100000);
}

// A double holds nanoseconds since 1970 only to 256 ns.
TEST(RowMerger, InterpolationAtTimesSince1970IsExact) {
  constexpr std::int64_t kNow = 1'700'000'000'123'456'789;
  Rows rows;
  RowMerger merger(1, {{{0}, true, 1000.0}}, rows.output());
  for (int i = 0; i < 10; ++i) {
    merger.sample(0, kNow + 1000 * i, std::vector<double>{1.0 * i});
    merger.row(kNow + 1000 * i + 250, std::vector<double>{kNaN});
  }
  merger.finish();
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(rows.values[i][0], static_cast<double>(i) + 0.25) << i;
}

// The files of a recording that were written at the same time are read one after the other.
TEST(RowMerger, SamplesTooFarFromTheirRowsInTheFile) {
  constexpr int kMany = 20000;
  const std::vector<double> row(300, kNaN), values(300, 1.0);
  std::vector<size_t> slots(300);
  std::iota(slots.begin(), slots.end(), size_t{0});
  for (const bool rows_first : {true, false}) {
    Rows rows;
    RowMerger merger(300, {{slots, true, 1.0 * kMs}}, rows.output());
    for (const bool with_rows : {rows_first, !rows_first})
      for (int i = 0; i < kMany; ++i) {
        if (with_rows)
          merger.row(i * kMs, row);
        else
          merger.sample(0, i * kMs, values);
      }
    merger.finish();
    EXPECT_GT(merger.missing(0), 10000);
    EXPECT_TRUE(merger.isOutOfReach(0)) << rows_first;
  }
}

TEST(RowMerger, SamplesThatWereNotRecordedAreNotOutOfReach) {
  constexpr int kMany = 20000;
  const std::vector<double> row(300, kNaN), values(300, 1.0);
  std::vector<size_t> slots(300);
  std::iota(slots.begin(), slots.end(), size_t{0});
  Rows rows;
  RowMerger merger(300, {{slots, true, 1.0 * kMs}}, rows.output());
  for (int i = 0; i < 3 * kMany; ++i) {
    // A pause of the rows, and one of the samples.
    if (i < 100 || i > kMany) merger.row(i * kMs, row);
    if (i < 2 * kMany || i > 3 * kMany - 100) merger.sample(0, i * kMs, values);
  }
  merger.finish();
  EXPECT_GT(merger.missing(0), 10000);
  EXPECT_FALSE(merger.isOutOfReach(0));
}

}  // namespace
}  // namespace dynid
