// Recordings of other programs: their content must agree with that found by an independent reader.
#include "dynid/import/import_bag.h"
#include "dynid/logs/log_reader.h"

#include <gtest/gtest.h>

#include "logs/test_files.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

class ForeignBags : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(DYNID_FORMATS_DIR).empty()) GTEST_SKIP() << "no DYNID_FORMATS_DIR";
    std::ifstream in(folder() / "expected.json");
    in >> expected_;
  }
  static std::filesystem::path folder() {
    return std::filesystem::path(DYNID_FORMATS_DIR) / "bags";
  }
  nlohmann::json expected_;
};

void expectStamps(const StampSurvey& found,
                  const nlohmann::json& expected,
                  const std::string& place) {
  EXPECT_EQ(found.first, expected.at("first").get<std::int64_t>()) << place;
  EXPECT_EQ(found.last, expected.at("last").get<std::int64_t>()) << place;
  EXPECT_EQ(found.min, expected.at("min").get<std::int64_t>()) << place;
  EXPECT_EQ(found.max, expected.at("max").get<std::int64_t>()) << place;
  EXPECT_EQ(found.back, expected.at("back").get<std::int64_t>()) << place;
  EXPECT_EQ(found.duplicate, expected.at("dup").get<std::int64_t>()) << place;
  EXPECT_EQ(found.zero, expected.at("zero").get<std::int64_t>()) << place;
}

void expectValues(const ValueSurvey& found,
                  const nlohmann::json& expected,
                  const std::string& place) {
  EXPECT_EQ(found.count, expected.at("n").get<std::int64_t>()) << place;
  EXPECT_EQ(found.nan, expected.at("nan").get<std::int64_t>()) << place;
  if (!expected.contains("min")) return;
  EXPECT_EQ(found.min, expected.at("min").get<double>()) << place;
  EXPECT_EQ(found.max, expected.at("max").get<double>()) << place;
  EXPECT_EQ(found.first, expected.at("first").get<double>()) << place;
  EXPECT_EQ(found.last, expected.at("last").get<double>()) << place;
}

void expectTopic(const TopicSurvey& found,
                 const nlohmann::json& expected,
                 const std::string& place) {
  EXPECT_EQ(found.log_times.count, expected.at("count").get<std::int64_t>()) << place;
  if (found.log_times.count == 0) return;
  EXPECT_EQ(found.log_times.first, expected.at("log_first_ns").get<std::int64_t>()) << place;
  EXPECT_EQ(found.log_times.last, expected.at("log_last_ns").get<std::int64_t>()) << place;
  if (found.kind == MessageKind::kOther) return;
  expectStamps(found.stamps, expected.at("header_stamp_ns"), place);
  const nlohmann::json none = nlohmann::json::object();
  const nlohmann::json& joints = expected.contains("joints") ? expected.at("joints") : none;
  for (const auto& [joint, channels] : joints.items())
    for (size_t c = 0; c < 3; ++c)
      if (channels.contains(kJointChannels[c]))
        expectValues(
            found.joints.at(joint)[c], channels.at(kJointChannels[c]), place + " " + joint);
  constexpr const char* kWrench[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  constexpr const char* kImu[] = {"wx", "wy", "wz", "ax", "ay", "az"};
  for (size_t i = 0; i < found.values.size(); ++i) {
    const bool wrench = found.kind == MessageKind::kWrench;
    expectValues(found.values[i],
                 expected.at(wrench ? "wrench" : "imu").at(wrench ? kWrench[i] : kImu[i]),
                 place);
  }
}

TEST_F(ForeignBags, GiveTheNumbersOfAnIndependentReader) {
  ASSERT_GE(expected_.size(), 40U);
  for (const auto& [name, file] : expected_.items()) {
    const BagSurvey survey = surveyBags({folder() / name}, {});
    EXPECT_EQ(survey.messages, file.at("messages").get<std::int64_t>()) << name;
    EXPECT_EQ(survey.losses.empty() && survey.remarks.empty(), !file.at("truncated").get<bool>())
        << name;
    for (const nlohmann::json& topic : file.at("topics")) {
      const std::string type = plainType(topic.at("type").get<std::string>());
      const auto found =
          std::find_if(survey.topics.begin(), survey.topics.end(), [&](const TopicSurvey& t) {
            return t.topic.name == topic.at("topic") && t.topic.type == type;
          });
      ASSERT_NE(found, survey.topics.end()) << name << " " << topic.at("topic");
      expectTopic(*found, topic, name + " " + found->topic.name);
    }
  }
}

TEST_F(ForeignBags, BecomeLogsWithTheSameNumbers) {
  const TestDirectory directory;
  int imported = 0;
  for (const auto& [name, file] : expected_.items()) {
    for (const nlohmann::json& topic : file.at("topics")) {
      if (!topic.contains("joints") || topic.at("joints").empty() || topic.at("count") < 2 ||
          topic.at("layouts").size() > 1)
        continue;
      const std::filesystem::path log = directory.file("log.h5");
      BagImportOptions options;
      options.topics = {topic.at("topic").get<std::string>()};
      importBag({folder() / name}, log, options);
      const LogReader reader(log);
      RawBlock block;
      reader.read(0, reader.info().rows, block);
      EXPECT_EQ(reader.info().rows, topic.at("count").get<std::int64_t>()) << name;
      const auto first = topic.at("header_stamp_ns").at("first").get<std::int64_t>();
      const auto last = topic.at("header_stamp_ns").at("last").get<std::int64_t>();
      EXPECT_EQ(std::llround(1e9 * (block.time[block.rows() - 1] - block.time[0])), last - first)
          << name;
      const std::pair<const char*, const Eigen::MatrixXd*> channels[] = {
          {"position", &block.position}, {"velocity", &block.velocity}, {"effort", &block.effort}};
      for (const auto& [channel, values] : channels)
        for (Eigen::Index j = 0; j < values->cols(); ++j) {
          const nlohmann::json& joint = topic.at("joints").at(reader.joints()[j]);
          if (!joint.contains(channel)) continue;
          EXPECT_EQ(values->col(j).minCoeff(), joint.at(channel).at("min").get<double>()) << name;
          EXPECT_EQ(values->col(j).maxCoeff(), joint.at(channel).at("max").get<double>()) << name;
          EXPECT_EQ((*values)(0, j), joint.at(channel).at("first").get<double>()) << name;
          EXPECT_EQ((*values)(values->rows() - 1, j), joint.at(channel).at("last").get<double>())
              << name;
        }
      ++imported;
    }
  }
  EXPECT_GE(imported, 8);
}

}  // namespace
}  // namespace dynid
