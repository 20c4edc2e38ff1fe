// Invalid input files: the program prints a message, returns an exit status, and writes no output.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include "tools/quickstart_files.h"
#include <cmath>
#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// Runs identify on one log; nothing but that log may be in the directory afterwards.
Outcome identifyOnly(const TemporaryDirectory& directory,
                     const std::string& log,
                     const std::string& robot = kArm) {
  const std::vector<std::string> before = directory.files();
  Outcome run = dynid({"identify",
                       "--robot",
                       robot,
                       "--log",
                       log,
                       "--output",
                       directory / "model.json",
                       "--urdf",
                       directory / "out.urdf",
                       "--report",
                       directory / "report.html"});
  EXPECT_EQ(directory.files(), before) << "partial output";
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, StartsWith("dynid identify: error: "));
  return run;
}

struct BadLog {
  const char* name;
  std::function<void(RawBlock&, LogHeader&)> edit;
  const char* message;
};

class BadLogTest : public ::testing::TestWithParam<BadLog> {};

TEST_P(BadLogTest, IsRefusedWithAReason) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log, GetParam().edit);
  const Outcome run = identifyOnly(directory, log);
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("log.h5"));
  EXPECT_THAT(run.err, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table,
    BadLogTest,
    ::testing::Values(
        BadLog{"wrong_joint_name",
               [](RawBlock&, LogHeader& header) { header.joint_names[2] = "jiont_3"; },
               "no column for the joint 'joint_3'"},
        BadLog{"one_sample",
               [](RawBlock& log, LogHeader&) {
                 log.time.conservativeResize(1);
                 for (Eigen::MatrixXd* m : {&log.position, &log.velocity, &log.effort})
                   m->conservativeResize(1, Eigen::NoChange);
               },
               "1 row"},
        BadLog{"mostly_nan",
               [](RawBlock& log, LogHeader&) {
                 for (Eigen::Index i = 0; i < log.time.size(); ++i)
                   if (i % 2 == 0) log.position(i, 1) = std::nan("");
               },
               "NaN"},
        BadLog{"no_motion",
               [](RawBlock& log, LogHeader&) {
                 log.position.rowwise() = log.position.row(0).eval();
                 log.velocity.setZero();
               },
               "mov"},
        BadLog{"effort_zero", [](RawBlock& log, LogHeader&) { log.effort.setZero(); }, "effort"},
        BadLog{
            "time_constant", [](RawBlock& log, LogHeader&) { log.time.setConstant(3.0); }, "time"}),
    [](const auto& test) { return test.param.name; });

TEST(BadInput, AJointThatNeverMovesIsNamed) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log, [](RawBlock& samples, LogHeader&) {
    samples.position.col(3).setConstant(0.25);
    samples.velocity.col(3).setZero();
  });
  const Outcome run = dynid({"inspect", log, "--robot", kArm});
  EXPECT_THAT(run.out, HasSubstr("joint_4"));
}

TEST(BadInput, MissingAndForeignFiles) {
  const TemporaryDirectory directory;
  EXPECT_EQ(identifyOnly(directory, directory / "none.h5").status, 3);
  const std::string text = directory / "text.h5";
  writeTextFile(text, "time,position\n0,0\n");
  EXPECT_THAT(identifyOnly(directory, text).err, HasSubstr("HDF5"));
  const std::string pipe = directory / "pipe.h5";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(identifyOnly(directory, pipe).status, 3);
  EXPECT_EQ(identifyOnly(directory, directory / "").status, 3);
}

// A file of another kind is named, with the command or option that takes it.
TEST(BadInput, FilesOfTheWrongKindAreNamed) {
  const TemporaryDirectory directory;
  const std::string csv = "datasets/quickstart/recording.csv",
                    model = "datasets/quickstart/model.json",
                    log = "datasets/quickstart/heldout.h5";
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome run = dynid(arguments);
    EXPECT_EQ(run.status, 3) << run.out;
    EXPECT_THAT(run.err, HasSubstr(message));
  };
  refused({"inspect", csv},
          csv +
              ": is a table of text (CSV), expected a log, a model, a trajectory, statistics or a "
              "prediction of dynid; `dynid import " +
              csv + " --output log.h5` makes a log of it");
  refused({"identify", "--robot", kArm, csv}, "is a table of text (CSV), expected an HDF5 log");
  refused({"validate", "--model", kArm, log},
          kArm +
              ": is a robot description, expected an identified model (.json); give it with "
              "--robot; `dynid check " +
              kArm + "` reads it");
  refused({"validate", "--model", "datasets/quickstart/arm.urdf", log},
          "arm.urdf: is a robot description, expected an identified model");
  refused({"simulate", model, "--output", directory / "s.h5"},
          model +
              ": is an identified model, expected a robot description (.toml, URDF or MJCF); "
              "give it with --model (validate, simulate, export)");
  refused({"identify", "--robot", log, log},
          log +
              ": is an HDF5 log, expected a robot description (.toml, URDF or MJCF); give it as a "
              "log");
  refused({"identify", "--robot", kArm, model}, "is an identified model, expected an HDF5 log");
  refused({"inspect", kArm}, "is a robot description, expected a log");
  refused({"export", log, "--urdf", directory / "o.urdf"},
          "is an HDF5 log, expected an identified");
  refused(
      {"import", "datasets/quickstart/arm.urdf", "--output", directory / "o.h5"},
      "arm.urdf: is a robot description, expected a recording: a text table (CSV) or a ROS bag");
  refused({"import", log, "--output", directory / "o.h5"},
          "is an HDF5 log, expected a recording: a text table (CSV) or a ROS bag; it needs no "
          "import; `dynid inspect " +
              log + "` describes it");
  refused({"identify", "--robot", kArm, log, "--statistics", model},
          "is an identified model, expected a file of statistics (identify --save-statistics)");
  refused({"excite", kArm, "--statistics", kArm, "--output", directory / "o.h5"},
          "is a robot description, expected a file of statistics");
  refused({"simulate", kArm, "--trajectory", csv, "--output", directory / "o.h5"},
          "is a table of text (CSV), expected a trajectory (excite --output) or a log");
  const std::string empty = directory / "empty.csv";
  std::ofstream(empty).close();
  refused({"import", empty, "--output", directory / "o.h5"},
          "empty.csv: is empty; expected a recording");
  refused({"inspect", empty}, "empty.csv: is empty; expected a log, a model,");
}

TEST(BadInput, StatisticsOfOtherHeldJointsAreNotCalledDamaged) {
  const TemporaryDirectory directory;
  const std::string statistics = directory / "statistics.h5", model = directory / "model.json";
  ASSERT_EQ(dynid({"identify",
                   "--robot",
                   kArm,
                   "datasets/quickstart/train.h5",
                   "--save-statistics",
                   statistics,
                   "--output",
                   model,
                   "--quiet"})
                .status,
            0);
  const Outcome run = dynid({"identify",
                             "--robot",
                             kArm,
                             "--exclude-joint",
                             "joint_6",
                             "--statistics",
                             statistics,
                             "--output",
                             directory / "other.json"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err,
              HasSubstr(statistics + ":/actuators: 6 joints; robot \"quickstart_arm\" has 5 here: "
                                     "give the description, and the held joints, that"));
}

TEST(BadInput, JointsOfOtherNamesSayHowToNameThem) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log, [](RawBlock&, LogHeader& header) {
    for (std::string& name : header.joint_names) name = "axis" + name.substr(5);
  });
  const std::string error = identifyOnly(directory, log).err;
  EXPECT_THAT(error, HasSubstr("no column for the joint 'joint_1'; the log has axis_1, axis_2"));
  EXPECT_THAT(
      error,
      HasSubstr("name the columns as the robot description names its joints: in the import "
                "mapping, or with --joints a,b,c of dynid import; a joint that was not logged: "
                "--exclude-joint joint_1 (a model needs all its joints: identify it again"));
}

TEST(BadInput, InspectLeavesOutJointsThatWereNotLogged) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log, [](RawBlock&, LogHeader& header) { header.joint_names.back() = "unknown"; });
  const std::vector<std::string> command = {"inspect", log, "--robot", kArm};
  EXPECT_THAT(dynid(command).err, HasSubstr("--exclude-joint joint_6"));
  std::vector<std::string> without = command;
  without.insert(without.end(), {"--exclude-joint", "joint_6"});
  const Outcome outcome = dynid(without);
  EXPECT_THAT(outcome.out, HasSubstr("columns not used: unknown"));
  EXPECT_THAT(outcome.out, HasSubstr("--exclude-joint joint_6"));
  const Outcome alone = dynid({"inspect", log, "--exclude-joint", "joint_6"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("--exclude-joint: belongs to --robot"));
}

TEST(BadInput, NanosecondStampsAreRecognised) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log, [](RawBlock& samples, LogHeader&) { samples.time *= 1e9; });
  const std::string error = identifyOnly(directory, log).err;
  EXPECT_THAT(error, HasSubstr("not in seconds"));
  EXPECT_THAT(error, HasSubstr("[time] unit in the import mapping"));
}

TEST(BadInput, TruncatedHdf5) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log);
  const std::string bytes = readTextFile(log);
  for (const double part : {0.02, 0.5, 0.99}) {
    writeTextFile(log,
                  bytes.substr(0, static_cast<size_t>(part * static_cast<double>(bytes.size()))));
    const Outcome run = identifyOnly(directory, log);
    EXPECT_EQ(run.status, 3) << part << ": " << run.err;
  }
}

/// Opens a log for modification.
class Surgery {
 public:
  explicit Surgery(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  ~Surgery() { H5Fclose(file_); }
  Surgery(const Surgery&) = delete;
  Surgery& operator=(const Surgery&) = delete;
  void remove(const char* name) const { ASSERT_GE(H5Ldelete(file_, name, H5P_DEFAULT), 0); }
  void externalLink(const char* name) const {
    ASSERT_GE(H5Lcreate_external("elsewhere.h5", "/effort", file_, name, H5P_DEFAULT, H5P_DEFAULT),
              0);
  }
  void dataset(const char* name, hsize_t rows, hsize_t columns) const {
    const hsize_t shape[2] = {rows, columns};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    const hid_t set =
        H5Dcreate2(file_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(set);
    H5Sclose(space);
  }

 private:
  hid_t file_;
};

TEST(BadInput, DatasetsThatAreMissingMisshapenOrElsewhere) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  const auto complaint = [&](const std::function<void(const Surgery&)>& operate) {
    writeEditedLog(log);
    operate(Surgery(log));
    const Outcome run = identifyOnly(directory, log);
    EXPECT_EQ(run.status, 3) << run.err;
    return run.err;
  };
  EXPECT_THAT(complaint([](const Surgery& s) { s.remove("position"); }), HasSubstr("position"));
  EXPECT_THAT(complaint([](const Surgery& s) { s.remove("joint_names"); }),
              HasSubstr("joint_names"));
  EXPECT_THAT(complaint([](const Surgery& s) {
                s.remove("effort");
                s.externalLink("effort");
              }),
              HasSubstr("link"));
  EXPECT_THAT(complaint([](const Surgery& s) {
                s.remove("effort");
                s.dataset("effort", 1201, 5);
              }),
              HasSubstr("/effort"));
  EXPECT_THAT(complaint([](const Surgery& s) {
                s.remove("effort");
                s.dataset("effort", 1201, 6);
              }),
              HasSubstr("never written"));
}

TEST(BadInput, BrokenRobotsNameFileAndLine) {
  const TemporaryDirectory directory;
  const std::string urdf = directory / "arm.urdf";
  const auto complaint = [&](const std::string& from, const std::string& to) {
    writeEditedUrdf(urdf, from, to);
    const Outcome run = dynid({"check", urdf});
    EXPECT_EQ(run.status, 3) << run.err;
    EXPECT_THAT(run.err, HasSubstr("arm.urdf:"));
    return run.err;
  };
  EXPECT_THAT(complaint("<parent link=\"base_link\"/>", "<parent link=\"flange\"/>"),
              HasSubstr("cycle"));
  EXPECT_THAT(complaint("<parent link=\"forearm\"/>", "<parent link=\"foream\"/>"),
              HasSubstr("did you mean \"forearm\""));
  EXPECT_THAT(complaint("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>"), HasSubstr("axis"));
  EXPECT_THAT(complaint("</robot>", ""), MatchesRegex("(.|\n)*arm.urdf:[0-9]+:(.|\n)*"));

  const std::string toml = directory / "arm.toml";
  writeTextFile(toml, "urdf = \"arm.urdf\"\ngravitiy = [0.0, 0.0, -9.8]\n");
  const Outcome run = dynid({"check", toml});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("arm.toml:2"));
  EXPECT_THAT(run.err, HasSubstr("did you mean \"gravity\""));
}

TEST(BadInput, AnImpossibleInertiaIsAWarningAndNoPrior) {
  const TemporaryDirectory directory;
  const std::string urdf = directory / "arm.urdf";
  writeEditedUrdf(urdf, "<mass value=\"3.0\"/>", "<mass value=\"-3.0\"/>");
  const Outcome run = dynid({"check", urdf});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("a negative mass is not used: links forearm"));
  EXPECT_THAT(run.err, HasSubstr("the described inertia is not usable as a prior"));
}

TEST(BadInput, NamesOfLinksAndJointsThatDoNotExist) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  const Outcome payload = dynid({"simulate", kArm, "--output", log, "--payload", "tol0:2"});
  EXPECT_EQ(payload.status, 2);
  EXPECT_THAT(payload.err, HasSubstr("did you mean \"tool0\""));
  const Outcome load = dynid({"identify",
                              "--robot",
                              kArm,
                              "a/log.h5",
                              "b/log.h5",
                              "--payload",
                              "log.h5=tool0:2",
                              "--output",
                              directory / "model.json"});
  EXPECT_EQ(load.status, 2);
  EXPECT_THAT(load.err, HasSubstr("file name of several logs (\"a/log.h5\", \"b/log.h5\")"));
  const Outcome joint = dynid({"check", kArm, "--exclude-joint", "joint_7"});
  EXPECT_EQ(joint.status, 2);
  EXPECT_THAT(joint.err, HasSubstr("\"joint_7\" is not a joint"));
  const Outcome range = dynid({"identify", "--robot", kArm, log, "--from", "5", "--to", "3"});
  EXPECT_EQ(range.status, 2);
  EXPECT_THAT(range.err, HasSubstr("--from 5 --to 3"));
  EXPECT_THAT(directory.files(), ::testing::IsEmpty());
}

TEST(BadInput, CsvIsRefusedByLine) {
  const TemporaryDirectory directory;
  const std::string csv = directory / "log.csv";
  writeTextFile(csv, "time,q_0,q_1\n0.0,1,2\n0.1,1,x\n");
  const Outcome bad = dynid({"import", csv});
  EXPECT_EQ(bad.status, 3);
  EXPECT_THAT(bad.err, HasSubstr("log.csv:3"));
  EXPECT_EQ(directory.files(), std::vector<std::string>{"log.csv"});
  EXPECT_EQ(dynid({"import", csv, csv, "--output", directory / "a.h5"}).status, 2);
}

TEST(BadOutput, IsFoundBeforeTheWorkBegins) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  writeEditedLog(log);
  const Outcome missing =
      dynid({"identify", "--robot", kArm, log, "--output", directory / "none/model.json"});
  EXPECT_EQ(missing.status, 4);
  EXPECT_THAT(missing.err, HasSubstr("cannot be written"));
  EXPECT_EQ(dynid({"identify", "--robot", kArm, log, "--report", "/dev/full"}).status, 4);
  EXPECT_EQ(dynid({"identify", "--robot", kArm, log, "--output", directory / ""}).status, 4);
  const Outcome itself = dynid({"identify", "--robot", kArm, log, "--output", log});
  EXPECT_EQ(itself.status, 2);
  EXPECT_THAT(itself.err, HasSubstr("is also an input"));
  EXPECT_EQ(directory.files(), std::vector<std::string>{"log.h5"});
}

TEST(BadOutput, AFullDiskLeavesNothing) {
  const TemporaryDirectory directory;
  RunOptions full;
  full.file_size_limit = 20'000;
  const Outcome run = dynid({"simulate", kArm, "--output", directory / "log.h5"}, full);
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_THAT(directory.files(), ::testing::IsEmpty());
}

TEST(Interruption, LeavesNothingHalfWritten) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryDirectory directory;
    RunOptions options;
    options.signal = signal;
    options.signal_after_s = 0.3;
    const Outcome run = dynid({"simulate",
                               kArm,
                               "--output",
                               directory / "log.h5",
                               "--duration",
                               "100000",
                               "--rate",
                               "1000"},
                              options);
    EXPECT_EQ(run.status, 128 + signal) << run.err;
    EXPECT_THAT(directory.files(), ::testing::IsEmpty());
  }
}

TEST(Interruption, OfAnIdentificationLeavesOnlyTheLog) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  ASSERT_EQ(
      dynid({"simulate", kArm, "--output", log, "--duration", "600", "--rate", "500", "--quiet"})
          .status,
      0);
  RunOptions options;
  options.signal = SIGINT;
  options.signal_after_s = 0.4;
  const Outcome run = dynid({"identify",
                             "--robot",
                             kArm,
                             log,
                             "--output",
                             directory / "model.json",
                             "--report",
                             directory / "report.html"},
                            options);
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(directory.files(), std::vector<std::string>{"log.h5"});
}

}  // namespace
}  // namespace dynid
