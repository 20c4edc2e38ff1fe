#include "dynid/recordings/time_range.h"

#include "dynid/core/errors.h"
#include "dynid/logs/log_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A log of one joint with these stamps.
LogReader readerOf(const Eigen::VectorXd& time) {
  const fs::path path =
      fs::temp_directory_path() / ("dynid_time_range_" + std::to_string(getpid()) + ".h5");
  LogHeader header;
  header.joint_names = {"joint"};
  header.effort_kind = EffortKind::kNone;
  header.has_velocity = false;
  header.has_acceleration = false;
  RawBlock block;
  block.time = time;
  block.position = Eigen::MatrixXd::Zero(time.size(), 1);
  LogWriter writer(path, header);
  writer.append(block);
  writer.finish();
  LogReader reader(path);
  fs::remove(path);
  return reader;
}

/// Its range.
TimeRange rangeOf(const Eigen::VectorXd& time,
                  double from_s = -kInfinity,
                  double to_s = kInfinity) {
  return timeRange(readerOf(time), from_s, to_s);
}

/// Eleven rows of one joint at 100, 101, ... 110 s; `damaged` rows have the stamp `value`.
TimeRange rangeWithout(const std::vector<Eigen::Index>& damaged,
                       double value,
                       double from_s = -kInfinity,
                       double to_s = kInfinity) {
  Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(11, 100.0, 110.0);
  for (const Eigen::Index row : damaged) time(row) = value;
  return rangeOf(time, from_s, to_s);
}

void expectRange(const TimeRange& range, std::int64_t first, std::int64_t end, double duration) {
  EXPECT_EQ(range.first_row, first);
  EXPECT_EQ(range.end_row, end);
  EXPECT_EQ(range.duration_s, duration);
}

TEST(TimeRange, WholeLogAndPartsFromItsFirstStamp) {
  expectRange(rangeWithout({}, 0.0), 0, 11, 10.0);
  EXPECT_EQ(rangeWithout({}, 0.0).start_s, 100.0);
  expectRange(rangeWithout({}, 0.0, 2.0, 5.0), 2, 5, 2.0);
  expectRange(rangeWithout({}, 0.0, 1.5, 100.0), 2, 11, 8.0);
}

// A message of two hours ago, which its publisher keeps for late subscribers, comes first.
TEST(TimeRange, AFewRowsOfAnotherTimeAreNotPartOfTheLog) {
  constexpr double kStep = 1.0 / 64.0;
  Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(1001, 8000.0, 8000.0 + 1000 * kStep);
  expectRange(rangeOf(time), 0, 1001, 1000 * kStep);
  EXPECT_EQ(rangeOf(time).stray_rows, 0);
  time(0) = 800.0;
  expectRange(rangeOf(time), 1, 1001, 999 * kStep);
  EXPECT_EQ(rangeOf(time).stray_rows, 1);
  EXPECT_EQ(rangeOf(time).stray_s, 7200.0 + kStep);
  EXPECT_EQ(rangeOf(time).start_s, 8000.0 + kStep);
  time(0) = 8000.0;
  time.tail(3).array() += 30.0;
  expectRange(rangeOf(time), 0, 998, 997 * kStep);
  time.segment(900, 98).array() += 30.0;  // a pause: what follows is long enough to be used
  expectRange(rangeOf(time), 0, 1001, 1000 * kStep + 30.0);
}

TEST(TimeRange, BeginsAndEndsWithUsableStamps) {
  for (const double value : {std::nan(""), kInfinity, -kInfinity, 1e308}) {
    SCOPED_TRACE(value);
    expectRange(rangeWithout({0, 1, 10}, value), 2, 10, 7.0);
    EXPECT_EQ(rangeWithout({0, 1, 10}, value).start_s, 102.0);
    // The bisection meets rows 5 and 8 first; row 8 has no time
    expectRange(rangeWithout({5, 8}, value, 3.0, 9.0), 3, 8, 4.0);
    expectRange(rangeWithout({0, 5}, value, 4.0, 8.0), 6, 9, 2.0);
  }
}

TEST(TimeRange, RefusesAClockThatIsSetBetweenTwoRows) {
  const auto message = [](const std::vector<Eigen::Index>& rows, double from_s, double to_s) {
    try {
      rangeWithout(rows, 1.7e9, from_s, to_s);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(message({3, 4, 5, 6, 7, 8, 9, 10}, -kInfinity, kInfinity),
              HasSubstr("/time: row 4 is 1.7e+09 s later than the usable row before it, all other "
                        "rows together last 2 s"));
  EXPECT_THAT(message({10}, -kInfinity, kInfinity), HasSubstr("row 11 is 1.7e+09 s later"));
  EXPECT_EQ(message({10}, -kInfinity, 100.0), "");
  EXPECT_EQ(message({3, 4, 5, 6, 7, 8, 9, 10}, 1e6, kInfinity), "");
}

TEST(LongPauses, AreThoseBetweenRowsAndNotWrongStamps) {
  constexpr double kStep = 1.0 / 64.0;
  const Eigen::VectorXd even = Eigen::VectorXd::LinSpaced(6401, 1000.0, 1100.0);
  const auto pauses_of = [](const Eigen::VectorXd& time, Eigen::Index first = 0) {
    return longPauses(readerOf(time), first, time.size(), kStep);
  };
  EXPECT_TRUE(pauses_of(even).empty());

  Eigen::VectorXd time = even;
  time.tail(6401 - 200).array() += 7200.0;
  time.tail(6401 - 3000).array() += 1.5;  // shorter than a 64th of 100 s
  time.tail(6401 - 6000).array() += 2.0;
  // Neither repeated nor lost stamps, nor one of another time, hide a pause or are one
  time(199) = time(198);
  time(6000) = std::nan("");
  for (const Eigen::Index wrong : {50, 3200, 4800}) time(wrong) = 5000.0;
  const std::vector<Pause> pauses = pauses_of(time);
  ASSERT_EQ(pauses.size(), 2U);
  EXPECT_EQ(pauses[0].begin_s, time(198));
  EXPECT_NEAR(pauses[0].length_s, 7200.0, 2.0 * kStep);
  EXPECT_EQ(pauses[1].begin_s, time(5999));
  EXPECT_NEAR(pauses[1].length_s, 2.0, 2.0 * kStep);
  EXPECT_EQ(pauses_of(time, 200).size(), 1U);

  // A slower part has no pauses
  time.head(3200) = even.head(3200);
  for (Eigen::Index row = 3200; row < time.size(); ++row) time(row) = time(row - 1) + 0.5;
  EXPECT_TRUE(pauses_of(time).empty());
}

TEST(TimeRange, RefusesLogsWithoutUsableStampsAndEmptyParts) {
  const auto message = [](auto&&... arguments) -> std::string {
    try {
      rangeWithout(arguments...);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::vector<Eigen::Index> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_NE(message(all, std::nan("")).find("every time stamp is NaN, infinite or larger"),
            std::string::npos);
  const std::vector<Eigen::Index> all_but_one(all.begin() + 1, all.end());
  EXPECT_NE(message(all_but_one, kInfinity).find("only one row has a usable time stamp"),
            std::string::npos);
  EXPECT_NE(message(std::vector<Eigen::Index>{10}, kInfinity, 20.0, 30.0)
                .find("no samples between 20 s and 30 s; the log lasts 9 s"),
            std::string::npos);
}

}  // namespace
}  // namespace dynid
