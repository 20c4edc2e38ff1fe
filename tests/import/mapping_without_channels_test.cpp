#include "dynid/import/import.h"

#include "import/imported_csv.h"
#include <numbers>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A mapping file without [position], or a sampling rate alone: the columns are recognised.
class MappingWithoutChannels : public Import {
 protected:
  ImportResult atRate(const std::string& text,
                      double rate_hz,
                      const std::vector<std::string>& joints = {},
                      const std::string& mapping = "") const {
    ImportOptions options;
    options.rate_hz = rate_hz;
    options.joints = joints;
    writeText(csv(), text);
    if (!mapping.empty()) {
      writeText(map(), mapping);
      options.mapping = map();
    }
    return importCsv(csv(), log(), options);
  }
};

TEST_F(MappingWithoutChannels, ARateAloneKeepsTheNamesOfTheJoints) {
  const std::string text =
      "pos_arm_joint1,pos_arm_joint2,eff_arm_joint1,eff_arm_joint2\n1,2,3,4\n5,6,7,8\n";
  for (const bool by_option : {false, true}) {
    const ImportResult result =
        by_option ? atRate(text, 250.0) : import(text, "sample_rate_hz = 250\nrobot = \"arm\"\n");
    EXPECT_THAT(result.joint_names, ElementsAre("arm_joint1", "arm_joint2"));
    EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.004));
    EXPECT_EQ(imported().effort.row(1), Eigen::RowVector2d(7, 8));
    EXPECT_EQ(LogReader(log()).info().sample_rate_hz, 250.0);
    EXPECT_EQ(LogReader(log()).info().robot, by_option ? "" : "arm");
  }
}

TEST_F(MappingWithoutChannels, JointsOfTheMappingNameAndOrderTheColumns) {
  import("t,q0,q1\n0,1,2\n1,3,4\n", "joints = [\"pan\", \"lift\"]\n");
  EXPECT_THAT(LogReader(log()).info().joint_names, ElementsAre("pan", "lift"));
  import("t,pan_q,lift_q\n0,1,2\n1,3,4\n", "joints = [\"lift\", \"pan\"]\n");
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(2, 1));
  EXPECT_EQ(complaint("t,q0,q1\n0,1,2\n1,3,4\n", "joints = [\"pan\"]\n"),
            "map.toml: joints: 1 joint names are given for 2 columns of positions");
}

TEST_F(MappingWithoutChannels, TheRateOrTimeOfTheMappingReplacesThatOfTheHeader) {
  const std::string text = "time,q0,cycle\n0,1,5\n0,2,6\n";
  const ImportResult result = import(text, "sample_rate_hz = 10\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.1));
  EXPECT_THAT(result.notes, Contains("columns not used: time, cycle"));
  const std::string time = "[time]\ncolumn = \"cycle\"\nunit = \"ms\"\n";
  import(text, time);
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.005, 0.006));
  EXPECT_THAT(import(text, "sample_rate_hz = 10\n" + time).warnings,
              Contains("the mapping file has [time] and sample_rate_hz: the times are those of the "
                       "column; leave out [time] if the rate is right"));
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.005, 0.006));
}

TEST_F(MappingWithoutChannels, PrismaticJointsAreFoundByName) {
  const std::string text = "t,rail_q,pan_q\n0,1,2\n1,3,4\n";
  const std::string mapping = "joints = [\"pan\", \"rail\"]\nprismatic = [\"rail\"]\n";
  const ImportResult result = import(text, mapping);
  EXPECT_EQ(takenAs(result, "rail_q"), "position rail m (assumed)");
  EXPECT_EQ(takenAs(result, "pan_q"), "position pan rad (assumed)");
  EXPECT_EQ(complaint("t,rail_q [deg],pan_q [deg]\n0,1,2\n1,3,4\n", mapping),
            "log.csv: 'rail' is prismatic in the mapping file, but the unit of column 'rail_q "
            "[deg]' is that of an angle; correct one of them");
}

TEST_F(MappingWithoutChannels, OptionsChooseAmongTheJointsOfTheMapping) {
  const std::string table = "t,q0,q1,tau0,tau1\n0,1,2,3,4\n1,5,6,7,8\n";
  const std::string names = "joints = [\"pan\", \"rail\"]\n";
  const std::string channels =
      "[time]\ncolumn = \"t\"\n[position]\ncolumns = \"q{0..1}\"\n[effort]\ncolumns = "
      "\"tau{0..1}\"\n";
  const auto chosen = [&](const std::string& mapping, const std::vector<std::string>& joints) {
    writeText(csv(), table);
    writeText(map(), mapping);
    ImportOptions options;
    options.joints = joints;
    options.mapping = map();
    return importCsv(csv(), log(), options).joint_names;
  };
  for (const std::string& mapping : {names, names + channels}) {
    EXPECT_THAT(chosen(mapping, {"rail", "pan"}), ElementsAre("rail", "pan"));
    EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(2, 1));
    EXPECT_EQ(imported().effort.row(1), Eigen::RowVector2d(8, 7));
    EXPECT_THAT(chosen(mapping, {"rail"}), ElementsAre("rail"));
    EXPECT_EQ(imported().effort(1, 0), 8);
    EXPECT_EQ(messageOf<UsageError>([&] {
                chosen(mapping, {"rail", "tilt"});
              }),
              "`joints`: rail, tilt are not all in the mapping file, which names the joints pan, "
              "rail; name some of these, in the order of the log");
  }
  EXPECT_THAT(chosen(channels, {"tilt", "pan"}), ElementsAre("tilt", "pan"));
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2)) << "the mapping has no names";
}

TEST_F(MappingWithoutChannels, ATableWithoutHeaderAndTimes) {
  const ImportResult result = atRate("1,2,3,4,5,6\n1,2,3,4,5,6\n", 100.0, {"a", "b"});
  EXPECT_EQ(takenAs(result, "column 3"), "velocity a rad/s (assumed)");
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5, 6));
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.01));
  EXPECT_THAT(
      result.notes,
      Contains("there is no header with names: the columns are taken in the order positions, "
               "velocities, efforts"));
  EXPECT_THAT(messageOf<InputError>([&] {
                atRate("0,1,2\n1,1,2\n", 100.0, {"a", "b"});
              }),
              HasSubstr("its 3 columns are neither 2 positions nor 2 positions, velocities and "
                        "efforts; assign"));
  import("1,2\n3,4\n", "sample_rate_hz = 100\njoints = [\"a\", \"b\"]\n");
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(3, 4));
}

TEST_F(MappingWithoutChannels, TablesWithoutColumnsChangeWhatIsRecognised) {
  const std::string text =
      "t,a_position,b_position,a_velocity,b_velocity,a_effort,b_effort\n"
      "0,90,180,90,0,2,3\n10,0,0,0,0,2,3\n";
  import(text,
         "[time]\nunit = \"ms\"\n[position]\nunit = \"deg\"\n[velocity]\nunit = \"deg/s\"\n"
         "[effort]\nunit = \"mN m\"\nsign = [1, -1]\nscale = 2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.01));
  EXPECT_DOUBLE_EQ(imported().position(0, 1), std::numbers::pi);
  EXPECT_DOUBLE_EQ(imported().velocity(0, 0), std::numbers::pi / 2);
  EXPECT_TRUE(imported().effort.row(0).isApprox(Eigen::RowVector2d(0.004, -0.006)));
  import(text, "joints = [\"b\", \"a\"]\n[effort]\nsign = [1, -1]\n");
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(3, -2)) << "in the order of the joints";
  EXPECT_EQ(
      complaint(text, "[current]\nunit = \"mA\"\n"),
      "map.toml:1: [current] has no `columns`, and none were recognised that it could change");
  EXPECT_EQ(complaint(text, "[effort]\nsign = [1, -1, 1]\n"),
            "map.toml:2: sign has 3 entries for 2 joints");
  EXPECT_EQ(
      complaint(text, "sample_rate_hz = 100\n[time]\nunit = \"ms\"\n"),
      "map.toml:2: sample_rate_hz replaces the column of times, whose unit is given; keep one");
}

TEST_F(MappingWithoutChannels, ListsAreInTheOrderOfTheJointsOfTheMapping) {
  const std::string text =
      "t,name[0],name[1],position[0],position[1],effort[0],effort[1]\n0,pan,rail,1,2,3,4\n"
      "1,pan,rail,1,2,3,4\n";
  import(text,
         "joints = [\"rail\", \"pan\"]\nprismatic = [\"rail\"]\n[position]\nunit = [\"mm\", "
         "\"rad\"]\n[effort]\nsign = [-1, 1]\nunit = [\"kN\", \"N m\"]\n");
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(0.002, 1));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(-4000, 3));
}

TEST_F(MappingWithoutChannels, FactorsOfSingleJointsAreNamed) {
  const std::string text = "t,a_q,b c_q,a_tau,b c_tau\n0,1,2,3,4\n1,5,6,7,8\n";
  import(text,
         "[position]\ngear_ratio = { a = 2 }\n[effort]\nsign = { \"b c\" = -1 }\n"
         "scale = { a = 10, \"b c\" = 0.5 }\n");
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(2.5, 6));
  EXPECT_EQ(imported().effort.row(1), Eigen::RowVector2d(70, -4));
  EXPECT_EQ(complaint(text, "[effort]\nsign = { elbow = -1 }\n"),
            "map.toml:2: sign: 'elbow' is not one of the joints");
  EXPECT_EQ(complaint(text, "[effort]\nsign = { a = 2 }\n"), "map.toml:2: sign must be 1 or -1");
  EXPECT_EQ(complaint(text, "[effort]\nscale = { a = \"x\" }\n"),
            "map.toml:2: scale must be a finite number");
}

TEST_F(MappingWithoutChannels, TheUnitOfTheHeaderIsKeptOrReplaced) {
  const std::string text = "t,a_q [deg],a_tau [%]\n0,180,50\n1,0,50\n";
  const std::string effort = "[effort]\nunit = \"N m\"\nscale = 0.1\n";
  EXPECT_THAT(complaint(text), HasSubstr("'%' is not a known unit"));
  EXPECT_THAT(complaint(text, "[effort]\nscale = 0.1\n"), HasSubstr("'%' is not a known unit"));
  import(text, effort + "[position]\nsign = -1\n");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), -std::numbers::pi);
  EXPECT_DOUBLE_EQ(imported().effort(0, 0), 5.0);
  import(text, effort + "[position]\nunit = \"rad\"\n");
  EXPECT_EQ(imported().position(0, 0), 180.0);
}

TEST_F(MappingWithoutChannels, TablesWithColumnsAddToWhatIsRecognised) {
  const std::string text = "t,a_q,b_q,driver 1,driver 2\n0,1,2,3,4\n1,5,6,7,8\n";
  const ImportResult result = import(text, "[current]\ncolumns = \"driver {1..2}\"\n");
  EXPECT_EQ(takenAs(result, "driver 2"), "current b A (assumed)");
  EXPECT_EQ(result.effort_kind, EffortKind::kCurrent);
  EXPECT_EQ(imported().effort.row(1), Eigen::RowVector2d(7, 8));
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(5, 6));
  EXPECT_EQ(complaint(text, "[effort]\ncolumns = \"driver 1\"\n"),
            "map.toml:2: [effort] has 1 columns for 2 joints");
}

TEST_F(MappingWithoutChannels, ARateOfATableWithTimesIsRefused) {
  EXPECT_EQ(messageOf<UsageError>([&] { atRate("time,q0\n0,1\n1,2\n", 100.0); }),
            "`rate_hz` is for tables without times, but " + csv().string() +
                " has them in column 'time'; leave it out, or, if the times are wrong, set "
                "sample_rate_hz in a mapping file (`mapping`)");
  EXPECT_EQ(
      messageOf<UsageError>([&] { atRate("q0,tau0\n1,2\n", 100.0, {}, "sample_rate_hz = 100\n"); }),
      "`rate_hz` is given, and sample_rate_hz in the mapping file; keep one");
  EXPECT_EQ(messageOf<UsageError>([&] { atRate("q0,tau0\n1,2\n", 0.0); }),
            "`rate_hz` is 0; expected a positive number");
}

}  // namespace
}  // namespace dynid
