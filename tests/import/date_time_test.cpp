#include "dynid/import/date_time.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(DateTime, OfIso8601) {
  constexpr std::int64_t kNoon = 1'714'564'800'000'000'000;  // 2024-05-01T12:00:00Z
  EXPECT_EQ(parseDateTime("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parseDateTime("2024-05-01T12:00:00"), kNoon);
  EXPECT_EQ(parseDateTime("2024-05-01 12:00:00.25"), kNoon + 250'000'000);
  EXPECT_EQ(parseDateTime("2024-05-01T14:00:00,000000001+02:00"), kNoon + 1);
  EXPECT_EQ(parseDateTime("2024-05-01T06:30:00-0530"), kNoon);
  EXPECT_EQ(parseDateTime("2024/05/01 12:00:00.5"), kNoon + 500'000'000);
  EXPECT_EQ(parseDateTime("01.05.2024 12:00:00,25"), kNoon + 250'000'000);
  EXPECT_EQ(parseDateTime("2024-05-01 9:00:00"), kNoon - 3 * 3'600'000'000'000);
  for (const char* wrong : {"2024-02-30T12:00:00",
                            "2024-05-01",
                            "2024-05-01T24:00:00",
                            "2024-05-01T12:00:00x",
                            "2024-05-01T12:00:00.",
                            "2024-05-01T12:00:00+2:00",
                            "2024-05-01T12:00:00+02:00:00",
                            "12:00:00.5",
                            "01.13.2024 12:00:00",
                            "2024/05-01 12:00:00",
                            "01.05.24 12:00:00.25",
                            "1714564800.000000000"})
    EXPECT_FALSE(parseDateTime(wrong)) << wrong;
}

TEST(TimeOfDay, IsCountedFromMidnight) {
  EXPECT_EQ(parseTimeOfDay("00:00:00"), 0);
  EXPECT_EQ(parseTimeOfDay("9:00:01"), 32'401'000'000'000);
  EXPECT_EQ(parseTimeOfDay(" 12:00:00.000000001"), 43'200'000'000'001);
  EXPECT_EQ(parseTimeOfDay("12:00:00,25"), 43'200'250'000'000);
  for (const char* wrong :
       {"12:00", "24:00:00", "12:60:00", "12:00:00.", "12:00:00Z", "12:00:00:5"})
    EXPECT_FALSE(parseTimeOfDay(wrong)) << wrong;
}

}  // namespace
}  // namespace dynid
