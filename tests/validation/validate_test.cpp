#include "dynid/validation/validate.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"
#include "dynid/model/json.h"
#include "dynid/prediction/model_from_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "model/synthetic_model.h"
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using ::testing::HasSubstr;

/// The arm whose logs were simulated, and its true parameters.
struct Quickstart {
  std::filesystem::path folder = DYNID_DATASETS_DIR "/quickstart";
  Model truth = loadModel(folder / "truth.json");
  std::filesystem::path heldout = folder / "heldout.h5";
};

TEST(Validate, TheTruthPassesOnItsOwnLog) {
  const Quickstart arm;
  double rows = 0;
  const ValidationResult result =
      validate(arm.truth, {arm.heldout}, {}, {}, {}, [&](const PredictionBlock& block) {
        rows += static_cast<double>(block.time.size());
      });
  EXPECT_TRUE(result.passed) << result.verdict;
  EXPECT_EQ(result.samples, rows);
  EXPECT_EQ(result.per_joint.size(), arm.truth.robot->joints.size());
  EXPECT_LT(result.relative_error, 0.06);  // effort noise of 2 % of the largest effort
  EXPECT_GT(result.filtered.cutoff_hz, 0.0);
  std::vector<std::string> names;
  for (const Check& check : result.checks) {
    names.push_back(check.name);
    EXPECT_NE(check.outcome, Check::Outcome::kFailed) << check.message;
  }
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("mass_matrix_positive_definite",
                                              "physically_consistent",
                                              "coriolis_skew_symmetric",
                                              "power_balance",
                                              "friction_passive",
                                              "certificate",
                                              "energy_balance"));
}

TEST(Validate, WrongModelsAndSettingsAreRefused) {
  const Quickstart arm;
  EXPECT_THROW(validate(Model{}, {arm.heldout}), std::invalid_argument);
  EXPECT_THROW(validate(arm.truth, {arm.heldout}, {}, {}, {{"other", Model{}}}),
               std::invalid_argument);
  IdentificationSettings settings;
  settings.threads = 0;
  EXPECT_THROW(validate(arm.truth, {arm.heldout}, settings), UsageError);
  settings = {};
  settings.motion = "guessed";
  EXPECT_THROW(validate(arm.truth, {arm.heldout}, settings), UsageError);
}

// A copy of a log. `change` may alter its header and rows.
std::filesystem::path changedLog(const std::filesystem::path& original,
                                 const std::string& name,
                                 const std::function<void(LogHeader&, RawBlock&)>& change) {
  const LogReader reader(original);
  RawBlock rows;
  reader.read(0, reader.info().rows, rows);
  LogHeader header;
  header.joint_names = reader.joints();
  header.prismatic = reader.prismatic();
  header.effort_kind = reader.info().effort_kind;
  change(header, rows);
  auto path = std::filesystem::temp_directory_path() /
              ("dynid_" + name + "_" + std::to_string(getpid()) + ".h5");
  LogWriter writer(path, header);
  writer.append(rows);
  writer.finish();
  return path;
}

// The payload "load" of the model has another mass than the log states for it.
TEST(Validate, NotesAnotherMassOfAKnownPayload) {
  const Quickstart arm;
  const auto log = changedLog(arm.heldout, "other_mass", [](LogHeader& header, RawBlock&) {
    header.payload = PayloadNote{};
    header.payload->name = "load";
    header.payload->mass = 3.0;
  });
  Model model = arm.truth;
  const auto notes_with = [&](double mass) {
    model.payloads = {{"load", "tool0", mass * InertialParameters::Unit(0)}};
    return validate(model, {log}).notes;
  };
  EXPECT_THAT(
      notes_with(1.5),
      ::testing::Contains(HasSubstr("3 kg are stated for the payload \"load\", the model has 1.5 "
                                    "kg")));
  EXPECT_THAT(notes_with(3.0), ::testing::Not(::testing::Contains(HasSubstr("payload \"load\""))));
  std::filesystem::remove(log);
}

TEST(Validate, NotesWrenchSensorsThatAreNotCompared) {
  const Quickstart arm;
  const auto log = std::filesystem::temp_directory_path() /
                   ("dynid_validated_sensor_" + std::to_string(getpid()) + ".h5");
  std::filesystem::copy_file(arm.heldout, log, std::filesystem::copy_options::overwrite_existing);
  const hid_t file = H5Fopen(log.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "bodies", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  const auto told = HasSubstr("bodies of this log was not compared with the model");
  EXPECT_THAT(validate(arm.truth, {log}).notes, ::testing::Contains(told));
  EXPECT_THAT(validate(arm.truth, {arm.heldout}).notes, ::testing::Not(::testing::Contains(told)));
  std::filesystem::remove(log);
}

// Fifteen single rows were called another payload.
TEST(Validate, PositionsThatJumpAreTheFirstReasonOfALogThatFails) {
  const Quickstart arm;
  const auto log = changedLog(arm.heldout, "position_jumps", [](LogHeader&, RawBlock& rows) {
    for (Eigen::Index r = 100; r < rows.position.rows(); r += rows.position.rows() / 15)
      rows.position(r, 1) += 0.6;
  });
  const ValidationResult result = validate(arm.truth, {log});
  EXPECT_FALSE(result.passed);
  ASSERT_FALSE(result.reasons.empty());
  EXPECT_THAT(result.reasons.front(), HasSubstr("the position jumps"));
  std::filesystem::remove(log);
}

// A payload or friction was the cause.
TEST(Validate, ALogWithoutTheDelayOfTheTrainingLogsIsNamed) {
  const Quickstart arm;
  Model late = arm.truth;
  late.signals.effort_delay = Eigen::VectorXd::Constant(late.robot->numJoints(), 0.1);
  late.fit.cross_validated_error = 0.05;
  const ValidationResult result = validate(late, {arm.heldout});
  ASSERT_FALSE(result.diagnosis.empty());
  EXPECT_EQ(result.diagnosis.front().code, "other-delay");
  EXPECT_THAT(result.diagnosis.front().message, HasSubstr("are 100 ms later than the motion"));
  EXPECT_LT(result.diagnosis.front().value, 0.06) << "the error without the delay";
  EXPECT_TRUE(validate(arm.truth, {arm.heldout}).diagnosis.empty());
}

// The log has the column of a joint that the model holds fixed.
TEST(Validate, AHeldJointThatMovesIsTheFirstReasonOfALogThatFails) {
  const Quickstart arm;
  const auto log = changedLog(arm.heldout, "held_joint", [](LogHeader& header, RawBlock& rows) {
    header.joint_names.emplace_back("elbow_turn");
    header.prismatic.push_back(false);
    for (Eigen::MatrixXd* channel : {&rows.position, &rows.velocity, &rows.effort}) {
      if (channel->size() == 0) continue;
      channel->conservativeResize(Eigen::NoChange, channel->cols() + 1);
      channel->rightCols<1>() = channel->col(0);
    }
  });
  Model model = arm.truth;
  auto robot = std::make_shared<Robot>(*model.robot);
  robot->ignored_joints["elbow_turn"] = 0.0;
  model.robot = robot;
  EXPECT_TRUE(validate(model, {log}).passed);
  model.parameters *= 2.0;
  const ValidationResult result = validate(model, {log});
  ASSERT_FALSE(result.reasons.empty());
  EXPECT_THAT(result.reasons.front(), HasSubstr("elbow_turn is held fixed at 0 rad, but moves"));
  std::filesystem::remove(log);
}

TEST(Validate, PartsOfALogAreTrainingLogsWhereTheyOverlapOnly) {
  Quickstart arm;
  const LogReader reader(arm.heldout);
  const std::int64_t rows = reader.info().rows, half = rows / 2;
  const double middle_s = reader.readTime(half, 1)(0) - reader.readTime(0, 1)(0);
  LogRecord trained;
  trained.file = "run.h5";
  trained.sha256 = sha256OfFile(arm.heldout);
  trained.end_row = static_cast<double>(half);
  const auto validated = [&](double from_s) {
    arm.truth.provenance.logs = {trained};
    IdentificationSettings settings;
    settings.from_s = from_s;
    return validate(arm.truth, {arm.heldout}, settings);
  };
  EXPECT_EQ(validated(0.0).training_log, "run.h5");
  EXPECT_EQ(validated(middle_s - 0.1).training_log, "run.h5");
  const ValidationResult rest = validated(middle_s);
  EXPECT_EQ(rest.training_log, "");
  ASSERT_FALSE(rest.notes.empty());
  EXPECT_THAT(rest.notes.front(),
              HasSubstr("the model was trained on another part of this log (rows 0 to " +
                        std::to_string(half - 1) + ")"));
  trained.end_row = 0.0;  // not known
  EXPECT_EQ(validated(middle_s).training_log, "run.h5");
}

TEST(Validate, TellsTheTruthFromTheDescription) {
  const Quickstart arm;
  const Model described = modelFromDescription(arm.truth.robot);
  const ValidationResult result =
      validate(described, {arm.heldout}, {}, {}, {{"truth.json", arm.truth}});
  EXPECT_GT(result.filtered.cutoff_hz, 0.0) << "the log's own, where the model has none";
  ASSERT_EQ(result.against.size(), 1U);
  EXPECT_TRUE(result.against[0].significant);
  EXPECT_LT(result.against[0].relative_error, result.relative_error);
  EXPECT_THAT(result.against[0].message, HasSubstr("truth.json is better"));
  EXPECT_EQ(validate(arm.truth, {arm.heldout}, {}, {}, {{"itself", arm.truth}}).against[0].p_value,
            1.0);
}

TEST(Validate, RefusesWhatCannotBeCompared) {
  const Quickstart arm;
  const auto message = [&](const Model& rival) -> std::string {
    try {
      validate(arm.truth, {arm.heldout}, {}, {}, {{"rival.json", rival}});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(syntheticModel()),
              HasSubstr("`against` rival.json: its joints are shoulder, elbow, wrist"));
  Model amperes = arm.truth;
  amperes.effort_unit = "A";
  EXPECT_THAT(message(amperes), HasSubstr("it predicts in A, the model in N m"));
}

}  // namespace
}  // namespace dynid
