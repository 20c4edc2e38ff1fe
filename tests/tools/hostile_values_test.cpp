// Numbers that a defective sensor or driver may write, at every place of a log: each command ends
// with a documented exit status, `inspect` and `identify` agree, and no usable model contains them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include "tools/quickstart_files.h"
#include "tools/sound_answers.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>

namespace dynid {
namespace {

using ::testing::HasSubstr;

struct HostileValue {
  const char* name;
  double value;
};

constexpr HostileValue kValues[] = {{"NaN", std::numeric_limits<double>::quiet_NaN()},
                                    {"Inf", std::numeric_limits<double>::infinity()},
                                    {"minus_Inf", -std::numeric_limits<double>::infinity()},
                                    {"1e308", 1e308},
                                    {"1e-308", 1e-308},
                                    {"denormal", 5e-324}};

enum class Place { kFirst, kMiddle, kLast };

struct Channel {
  const char* name;
  Eigen::MatrixXd RawSignals::*member;  // nullptr: time
};

constexpr Channel kChannels[] = {{"time", nullptr},
                                 {"position", &RawSignals::position},
                                 {"velocity", &RawSignals::velocity},
                                 {"effort", &RawSignals::effort}};

void writeWith(const std::string& path, const Channel& channel, Place place, double value) {
  writeEditedLog(path, [&](RawBlock& log, LogHeader&) {
    const Eigen::Index last = log.time.size() - 1;
    const Eigen::Index row = place == Place::kFirst ? 0 : place == Place::kLast ? last : last / 2;
    if (channel.member == nullptr)
      log.time(row) = value;
    else
      (log.*channel.member)(row, 1) = value;
  });
}

class HostileValues : public ::testing::TestWithParam<std::tuple<int, int>> {};

// Takes a third of the places for each value and channel; DYNID_ALL_VALUES=1 in the environment
// takes all of them (72 logs).
TEST_P(HostileValues, EveryCommandAnswersSoundly) {
  const auto [channel_index, value_index] = GetParam();
  const Channel& channel = kChannels[channel_index];
  const HostileValue& value = kValues[value_index];
  for (int place = 0; place < 3; ++place) {
    if (std::getenv("DYNID_ALL_VALUES") == nullptr && (channel_index + value_index) % 3 != place)
      continue;
    SCOPED_TRACE(std::string(channel.name) + " " + value.name + " place " + std::to_string(place));
    const TemporaryDirectory desk;
    writeWith(desk / "log.h5", channel, static_cast<Place>(place), value.value);
    expectSoundAnswers(desk, desk / "log.h5");
  }
}

INSTANTIATE_TEST_SUITE_P(Matrix,
                         HostileValues,
                         ::testing::Combine(::testing::Range(0, 4), ::testing::Range(0, 6)),
                         [](const auto& test) {
                           std::string name = kChannels[std::get<0>(test.param)].name;
                           name += "_";
                           name += kValues[std::get<1>(test.param)].name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(HostileLogs, EffortsOfAlmostNothing) {
  const TemporaryDirectory desk;
  writeEditedLog(desk / "log.h5", [](RawBlock& log, LogHeader&) { log.effort *= 1e-315; });
  const Outcome run = dynid({"identify", "--robot", kArm, desk / "log.h5"});
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("effort"));
  expectSoundAnswers(desk, desk / "log.h5");
}

TEST(HostileLogs, TimeInMillisecondsWithoutVelocity) {
  const TemporaryDirectory desk;
  writeEditedLog(desk / "log.h5", [](RawBlock& log, LogHeader& header) {
    log.time *= 1000.0;
    header.has_velocity = false;
  });
  expectSoundAnswers(desk, desk / "log.h5");
}

TEST(HostileLogs, TimeInUnitsThatAreFarTooLongOrTooShort) {
  for (const double factor : {1e-300, 1e-100, 1e-9, 1e-5, 1e9}) {
    SCOPED_TRACE(factor);
    const TemporaryDirectory desk;
    writeEditedLog(desk / "log.h5", [&](RawBlock& log, LogHeader&) { log.time *= factor; });
    expectSoundAnswers(desk, desk / "log.h5");
    const Outcome forced = dynid({"identify", "--robot", kArm, desk / "log.h5", "--force"});
    if (factor < 1.0) {
      EXPECT_EQ(forced.status, 3) << forced.err;
      EXPECT_THAT(forced.err, HasSubstr("s apart: the time stamps are not in seconds"));
    } else {  // all joints seem to rest: a model, but not a usable one
      EXPECT_EQ(forced.status, 1) << forced.err;
      EXPECT_THAT(forced.out, HasSubstr("NOT USABLE"));
      EXPECT_THAT(forced.out, HasSubstr("joints do not move"));
    }
  }
}

TEST(HostileLogs, SampleRatesThatNoLogHas) {
  for (const double rate : {1e300, 1e12, 1e-300}) {
    SCOPED_TRACE(rate);
    const TemporaryDirectory desk;
    writeEditedLog(desk / "log.h5",
                   [&](RawBlock&, LogHeader& header) { header.sample_rate_hz = rate; });
    removeFromFile(desk / "log.h5", "time");
    expectSoundAnswers(desk, desk / "log.h5");
    EXPECT_EQ(dynid({"inspect", desk / "log.h5"}).status, 1);
  }
}

TEST(HostileLogs, WithoutEffort) {
  const TemporaryDirectory desk;
  writeEditedLog(desk / "log.h5",
                 [](RawBlock&, LogHeader& header) { header.effort_kind = EffortKind::kNone; });
  const std::string expected =
      (desk / "log.h5") +
      ":/effort: is missing, and so is /current; a model is validated by comparing its predictions "
      "with measured efforts or currents: give a log that has one of them";
  const std::vector<std::string> command{"validate", "--model", kModel, desk / "log.h5"};
  EXPECT_EQ(dynid(command).status, 3);
  EXPECT_THAT(dynid(command).err, HasSubstr(expected));
  std::vector<std::string> with_output = command;
  with_output.insert(with_output.end(), {"--output", desk / "p.h5"});
  const Outcome run = dynid(with_output);
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr(expected));
  EXPECT_EQ(desk.files(), std::vector<std::string>{"log.h5"});
  EXPECT_EQ(dynid({"identify", "--robot", kArm, desk / "log.h5"}).status, 3);
}

// Only rows with a usable time stamp count as the beginning and the end of a log.
TEST(HostileLogs, LengthOfALogWhoseFirstAndLastTimeStampsAreNotUsable) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e308}) {
    SCOPED_TRACE(value);
    const TemporaryDirectory desk;
    writeEditedLog(desk / "log.h5", [&](RawBlock& log, LogHeader&) {
      ASSERT_EQ(log.time.size(), 1201);
      log.time(0) = log.time(1200) = value;
    });
    for (const std::vector<std::string>& robot : {std::vector<std::string>{}, {"--robot", kArm}}) {
      std::vector<std::string> command{"inspect", desk / "log.h5"};
      command.insert(command.end(), robot.begin(), robot.end());
      const Outcome inspect = dynid(command);
      EXPECT_THAT(inspect.out, HasSubstr("1201 rows from 0.01 to 11.99 s, about 100 Hz"));
      EXPECT_THAT(inspect.out, ::testing::Not(HasSubstr("too little motion")));
    }
    const Outcome part = dynid(
        {"identify", "--robot", kArm, desk / "log.h5", "--from", "1", "--to", "2", "--force"});
    EXPECT_THAT(part.out + part.err, HasSubstr("the log lasts 1 s"));
  }
}

TEST(HostileLogs, EveryTimeStampNotANumber) {
  const TemporaryDirectory desk;
  writeEditedLog(desk / "log.h5",
                 [](RawBlock& log, LogHeader&) { log.time.setConstant(std::nan("")); });
  expectSoundAnswers(desk, desk / "log.h5");
  EXPECT_THAT(dynid({"inspect", desk / "log.h5"}).out, HasSubstr("without a usable time stamp"));
  EXPECT_EQ(dynid({"identify", "--robot", kArm, desk / "log.h5"}).status, 3);
}

// The median step is 0: the messages of a clock that is slower than they are.
TEST(HostileLogs, RateWhereMostTimeStampsRepeat) {
  const TemporaryDirectory desk;
  writeEditedLog(desk / "log.h5", [&](RawBlock& log, LogHeader&) {
    for (Eigen::Index i = 0; i < log.time.size(); ++i)
      log.time(i) = 0.03 * std::floor(static_cast<double>(i) / 3.0);
  });
  EXPECT_THAT(dynid({"inspect", desk / "log.h5"}).out,
              HasSubstr("1201 rows from 0 to 12 s, about 100 Hz"));
}

}  // namespace
}  // namespace dynid
