#include "dynid/import/import.h"

#include "dynid/import/import_mapping.h"
#include "dynid/logs/h5_input.h"

#include "import/imported_csv.h"
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kPi = std::numbers::pi;

TEST_F(Import, EveryOptionOfAMapping) {
  const ImportResult result = import(
      "junk above the table\n"
      "0;ignored;90,0;-1,5;10;0,5\n"
      "4;ignored;180,0;0,25;20;1,0\n",
      R"(
delimiter = "semicolon"
decimal_comma = true
header = false
skip_rows = 1
joints = ["hinge", "slide"]
prismatic = ["slide"]
robot = "two"
license = "CC0"
description = "a test"
gravity = [0.0, 0.0, -9.81]
[time]
column = 1
unit = "ms"
[position]
columns = [3, "4"]
unit = ["deg", "mm"]
sign = [-1, 1]
gear_ratio = [100.0, 1.0]
[effort]
columns = ["{5..6}"]
unit = ["mN m", "N"]
scale = 2.0
gear_ratio = [100.0, 1.0]
[payload]
link = "tool0"
mass = 2.5
com = [0.0, 0.0, 0.1]
)");
  EXPECT_EQ(result.rows, 2);
  EXPECT_EQ(result.effort_kind, EffortKind::kEffort);
  EXPECT_FALSE(result.has_velocity);
  LogReaderOptions options;
  options.joints = {"hinge", "slide"};
  options.prismatic = {"slide"};
  const LogReader reader(log(), options);
  EXPECT_EQ(reader.info().robot, "two");
  EXPECT_EQ(reader.info().source, "log.csv");
  EXPECT_EQ(reader.info().payload->mass, 2.5);
  EXPECT_EQ(reader.info().payload->com, Eigen::Vector3d(0, 0, 0.1));
  RawBlock block;
  reader.read(0, 2, block);
  EXPECT_DOUBLE_EQ(block.time[1], 0.004);
  EXPECT_DOUBLE_EQ(block.position(1, 0), -kPi / 100);
  EXPECT_DOUBLE_EQ(block.position(0, 1), -0.0015);
  EXPECT_DOUBLE_EQ(block.effort(0, 0), 10 * 1e-3 * 2 * 100);
  EXPECT_DOUBLE_EQ(block.effort(1, 1), 2.0);
}

TEST_F(Import, JointNamesFromTheCaller) {
  writeText(csv(), "t,q1,q2,tau1,tau2\n0,1,2,3,4\n1,1,2,3,4\n");
  ImportOptions options;
  options.joints = {"shoulder", "elbow"};
  EXPECT_THAT(importCsv(csv(), log(), options).joint_names, ElementsAre("shoulder", "elbow"));
  options.joints = {"shoulder"};
  EXPECT_EQ(messageOf<UsageError>([&] { importCsv(csv(), log(), options); }),
            "1 joint names are given for 2 columns of positions");
}

TEST_F(Import, ManyRowsInBlocksAndNanStays) {
  std::string text = "t,q0,tau0\n";
  for (int i = 0; i < 10000; ++i)
    text += std::to_string(i) + "," + std::to_string(i) + ".25," +
            (i == 5000 ? std::string("nan") : std::to_string(-i)) + "\n";
  EXPECT_EQ(import(text).rows, 10000);
  const RawBlock block = imported();
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(block.position(i, 0), i + 0.25);
  EXPECT_TRUE(std::isnan(block.effort(5000, 0)));
  EXPECT_EQ(block.effort(9999, 0), -9999);
}

TEST_F(Import, NanosecondsSince1970KeepTheirSteps) {
  const ImportResult result = import("time_ns,q0\n1700000000123456789,1\n1700000000123456790,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 1e-9));
  EXPECT_THAT(result.notes, Contains("time is counted from the first row"));
}

constexpr const char* kRateInsteadOfTimes = "sample_rate_hz = 250\n[position]\ncolumns = \"q0\"\n";

TEST_F(Import, ARateInsteadOfTimes) {
  import("q0,tau0\n1,2\n3,4\n", kRateInsteadOfTimes);
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.004));
}

TEST_F(Import, LinesThatAreLeftOutTakeTimeWhereThereIsARate) {
  EXPECT_THAT(complaint("q0,tau0\n1,2\n#N/A,#N/A\nx,4\n", kRateInsteadOfTimes),
              HasSubstr("log.csv:4: column 1 'q0': 'x' is not a number"));
  const ImportResult result =
      import("q0,tau0\n1,2\nx,2\nNULL,NULL\n# a remark\n\n,\n3,4\n", kRateInsteadOfTimes, true);
  EXPECT_EQ(result.bad_rows, 1);
  EXPECT_THAT(result.notes, Contains("2 rows have no value of any joint: left out"));
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 4 * 0.004));
}

TEST_F(Import, BadRowsAreRefusedByLineOrCounted) {
  const std::string start = "t,q0,q1\n0,1,2\n";
  EXPECT_EQ(
      complaint(start + "1,2\n2,3,4\n"),
      "log.csv:3: has 2 columns; the others have 3; correct the line, or leave such lines out "
      "with `skip_bad_rows`");
  EXPECT_EQ(complaint(start + "\n1,2,x3\n2,3,4\n"),
            "log.csv:4: column 3 'q1': 'x3' is not a number; correct the line, or leave such lines "
            "out with `skip_bad_rows`");
  EXPECT_EQ(complaint(start + ",2,3\n2,3,4\n"),
            "log.csv:3: column 1 't' is empty; correct the line, or leave such lines out with "
            "`skip_bad_rows`");
  const ImportResult result = import(start + "1,2\n2,x,4\n3,4,5\nt,q0,q1\n4,5,6\n", "", true);
  EXPECT_EQ(result.rows, 3);
  EXPECT_EQ(result.bad_rows, 3);
  EXPECT_EQ(imported().time, Eigen::Vector3d(0, 3, 4));
}

TEST_F(Import, MissingValuesBecomeNan) {
  for (const char* missing : {"", "NA", "n/a", "null", "None", "-"}) {
    const ImportResult result =
        import(fmt::format("t,q0,tau0\n0,1,2\n1,{0},2\n2,3,{0}\n3,4,5\n", missing));
    EXPECT_EQ(result.rows, 4) << missing;
    EXPECT_TRUE(std::isnan(imported().position(1, 0))) << missing;
    EXPECT_TRUE(std::isnan(imported().effort(2, 0))) << missing;
    EXPECT_THAT(result.notes, Contains("missing values (empty, NA, null or -): 2, written as nan"));
  }
  EXPECT_THAT(complaint("t,q0,tau0\n0,1,2\nNA,1,2\n"), HasSubstr("log.csv:3: column 1 't': 'NA'"));
}

TEST_F(Import, SaysWhatIsNotUsedAndThatThereIsNoEffort) {
  const ImportResult result = import("t,q0,state\n0,1,2\n1,2,3\n");
  EXPECT_THAT(result.notes, Contains("columns not used: state"));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("no effort or current was found")));
  const ImportResult complete = import("t,q0,tau0\n0,1,2\n1,2,3\n");
  EXPECT_THAT(complete.notes, Not(Contains(HasSubstr("not used"))));
  EXPECT_THAT(complete.warnings, Not(Contains(HasSubstr("effort"))));
}

TEST_F(Import, DatesAsTimes) {
  const ImportResult result =
      import("timestamp,q0,tau0\n2024-05-01T12:00:00.5Z,1,2\n2024-05-01T12:00:00.510000001Z,1,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.010000001));
  EXPECT_THAT(result.notes, Contains("time is counted from the first row"));
  import("time;q0;tau0\n2024-05-01 12:00:00;0,5;2\n2024-05-01 12:00:01;0,5;2\n");
  EXPECT_EQ(imported().position(0, 0), 0.5);
  EXPECT_THAT(complaint("time,q0,tau0\n2024-05-01T12:00:00,1,2\n0.5,1,2\n"),
              HasSubstr("log.csv:3: column 1 'time': '0.5' is not"));
}

TEST_F(Import, TimesOfDayContinueAfterMidnight) {
  import("time,q0,tau0\n23:59:59.5,1,2\n23:59:59.75,1,2\n00:00:00,1,2\n00:00:00.25,1,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector4d(0.0, 0.25, 0.5, 0.75));
  import("Time;q0;tau0\n01.05.2024 12:00:00,5;0,5;2\n01.05.2024 12:00:01,0;0,5;2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.5));
  EXPECT_EQ(imported().position(0, 0), 0.5);
  EXPECT_THAT(complaint("time,q0,tau0\n12:00:00,1,2\n0.5,1,2\n"),
              HasSubstr("log.csv:3: column 1 'time': '0.5' is not"));
}

TEST_F(Import, UnitsInARowBelowTheHeader) {
  import("time,q0,tau0\nms,deg,Nm\n0,180,2\n10,90,3\n");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), kPi);
  EXPECT_DOUBLE_EQ(imported().time(1), 0.01);
  EXPECT_THAT(complaint("time,q0,tau0\ns,ticks,Nm\n0,180,2\n10,90,3\n"),
              HasSubstr("column 'q0': 'ticks' is not a known unit"));
}

TEST_F(Import, NothingToRecognise) {
  EXPECT_EQ(complaint("a,b\n1,2\n"),
            "log.csv: no columns of positions (q0, position_0, <joint>_position, ...) recognised "
            "in the header a, b; assign the columns in a mapping file (`mapping`)");
  EXPECT_EQ(complaint("0,1\n1,2\n"),
            "log.csv: there is no header that says which columns are positions; name the joints "
            "(`joints` a,b,c) if the columns are time, positions (and velocities and efforts), or "
            "assign the columns in a mapping file (`mapping`)");
  EXPECT_EQ(complaint("t,q,q,tau,tau\n0,1,2,3,4\n1,1,2,3,4\n"),
            "log.csv: columns 2 and 3 are both called 'q'; assign the columns in a mapping file "
            "(`mapping`)");
  EXPECT_THAT(
      complaint("time,q0,tau0\n22:13:20:500,1,2\n22:13:21:500,1,2\n"),
      HasSubstr(
          "log.csv:2: column 1 'time': '22:13:20:500' is not a number (write times as seconds, "
          "whole nanoseconds, or dates such as 2024-05-01T12:00:00.25 or 12:00:00.25)"));
  EXPECT_EQ(complaint("q0,tau0\n1,2\n"),
            "log.csv: no column of times recognised in the header; give the rows per second "
            "(`rate_hz`), or name the column under [time] in a mapping file (`mapping`)");
  EXPECT_EQ(complaint("t,q0\n"), "log.csv: has no rows of numbers");
  EXPECT_EQ(messageOf<InputError>([&] { import("t,q0\n1:30,1\n1:31,2\n", "", true); }),
            csv().string() +
                ": has no rows of numbers: all 2 are malformed, as line 2: column 1 't': '1:30' is "
                "not a number");
}

// Tables of programs that know no names: numbers of the columns in place of a header.
TEST_F(Import, MistakesInTheMapping) {
  const std::string text = "time,elbow_q\n0,1\n1,2\n";
  const std::string good = "[time]\ncolumn = \"time\"\n[position]\ncolumns = \"elbow_q\"\n";
  const std::pair<std::string, std::string> cases[] = {
      {"delimeter = \"comma\"\n" + good,
       "map.toml:1: unknown key 'delimeter'; did you mean \"delimiter\"?"},
      {"delimiter = \"dot\"\n" + good,
       "map.toml:1: delimiter 'dot' is not known; known are comma, semicolon, tab, blank"},
      {good + "unit = \"degree Celsius\"\n",
       "map.toml:5: unknown unit 'degree Celsius'; known are rad, deg, m, mm"},
      {good + "sign = 2\n", "map.toml:5: sign must be 1 or -1"},
      {good + "scale = [1.0, 2.0]\n", "map.toml:5: scale has 2 entries for 1 joints"},
      {good + "gear_ratio = nan\n", "map.toml:5: gear_ratio must be a finite number"},
      {good + "[current]\ncolumns = 2\ngear_ratio = 100\n",
       "map.toml:7: gear_ratio has no meaning for a current; give drive_gain in the robot "
       "description"},
      {good + "[effort]\ncolumns = [1, 2]\n", "map.toml:6: [effort] has 2 columns for 1 joints"},
      {"[position]\ncolumns = \"q_{0-5}\"\n",
       "map.toml:1: there is neither [time] nor "
       "sample_rate_hz; one is needed"},
      {"sample_rate_hz = 1\n[position]\ncolumns = \"q_{0-5}\"\n",
       "map.toml:3: a range is written {first..last}, as in \"q_{0..5}\""},
      {"[time]\ncolumn = \"time\"\n[velocity]\ncolumns = 2\n",
       "log.csv: the mapping takes column 'elbow_q' as position of elbow and as velocity of elbow; "
       "correct one of them"},
      {"joints = [\"a\", \"b\"]\n",
       "log.csv: no columns of positions (q0, position_0, <joint>_position, ...) recognised in the "
       "header time, elbow_q; assign the columns in a mapping file (`mapping`)"},
      {"[time]\ncolumn = \"time\"\n[position]\ncolumns = \"elbw_q\"\n",
       "log.csv: no column is called 'elbw_q'; the header has time, elbow_q; did you mean "
       "\"elbow_q\"?"},
      {"[time]\ncolumn = \"time\"\n[position]\ncolumns = 3\n",
       "log.csv: there is no column 3; the rows have 2 columns"},
      {good + "[payload]\nmass = -1.0\n", "map.toml:6: mass must not be negative"}};
  for (const auto& [mapping, expected] : cases) EXPECT_EQ(complaint(text, mapping), expected);
  EXPECT_THAT(complaint(text, "joints = [\n"), HasSubstr("map.toml:"));
  EXPECT_EQ(import(text, good).rows, 2);
}

// The differences of these stamps are beyond an integer of nanoseconds.
TEST_F(Import, StampsOfOppositeSigns) {
  EXPECT_THAT(
      complaint("header.stamp.sec,header.stamp.nanosec,q0\n-9223372036854775808,0,1\n2,0,2\n"),
      HasSubstr("'-9223372036854775808' is not a number"));
  import("header.stamp.sec,header.stamp.nanosec,q0\n9000000000,0,1\n-9000000000,0,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, -1.8e10));
  import("field.header.stamp,field.position0\n9000000000000000000,1\n-9000000000000000000,3\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, -1.8e10));
}

TEST_F(Import, PlotJugglerAndRostopic) {
  ImportResult result = import(
      "__time,/joint_states/position[0],/joint_states/position[1],/joint_states/effort[0],"
      "/joint_states/effort[1]\n1.5,1,2,3,4\n1.6,1,2,3,4\n1.7,,,,\n1.8,5,6,7,8\n");
  EXPECT_EQ(result.rows, 3);
  EXPECT_THAT(result.notes, Contains("1 rows have no value of any joint: left out"));
  EXPECT_EQ(imported().position.row(2), Eigen::RowVector2d(5, 6));
  result =
      import("__time,/joint_states/shoulder/position,/joint_states/elbow/position\n1,1,2\n2,1,2\n");
  EXPECT_THAT(result.joint_names, ElementsAre("shoulder", "elbow"));
  result = import(
      "%time,field.header.stamp,field.name0,field.name1,field.position0,field.position1\n"
      "9,1700000000000000000,pan,lift,1,2\n9,1700000000010000000,pan,lift,3,4\n");
  EXPECT_THAT(result.joint_names, ElementsAre("pan", "lift"));
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.01));
}

constexpr const char* kWithNames =
    "%time,field.name0,field.name1,field.position0,field.position1,field.effort0,field.effort1\n"
    "0.00,pan,lift,1,2,3,4\n";

TEST_F(Import, NamesOfJointsHoldForTheirRow) {
  import(std::string(kWithNames) + "0.01,lift,pan,2.5,1.5,4.5,3.5\n0.02,pan,lift,5,6,7,8\n");
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(1.5, 2.5));
  EXPECT_EQ(imported().effort.row(1), Eigen::RowVector2d(3.5, 4.5));
  EXPECT_EQ(imported().position.row(2), Eigen::RowVector2d(5, 6));
}

TEST_F(Import, ARowWithNamesOfOtherJointsIsRefusedOrCounted) {
  const std::string text =
      std::string(kWithNames) + "0.01,left,right,1,2,3,4\n0.02,pan,lift,5,6,7,8\n";
  EXPECT_EQ(complaint(text),
            "log.csv:3: holds the joints left, right; the first row holds pan, lift; correct the "
            "line, or leave such lines out with `skip_bad_rows`");
  EXPECT_THAT(complaint(std::string(kWithNames) + "0.01,pan,pan,1,2,3,4\n"),
              HasSubstr(":3: holds the joints pan, pan; the first row holds pan, lift"));
  const ImportResult result = import(text, "", true);
  EXPECT_EQ(result.bad_rows, 1);
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(5, 6));
}

TEST_F(Import, AColumnThatIsTakenTwiceIsRefused) {
  const std::string text = "t,q1,q2,u1,u2\n0,1,2,3,4\n0.01,1,2,3,4\n";
  const std::string time = "joints = [\"a\", \"b\"]\n[time]\ncolumn = \"t\"\n";
  EXPECT_EQ(complaint(text, time + "[position]\ncolumns = [\"q1\", \"q1\"]\n"),
            "log.csv: the mapping takes column 'q1' as position of a and as position of b; correct "
            "one of them");
  EXPECT_THAT(complaint(text,
                        time + "[position]\ncolumns = [\"q1\", \"q2\"]\n"
                               "[effort]\ncolumns = [\"u1\", 3]\n"),
              HasSubstr("takes column 'q2' as position of b and as effort of b"));
}

TEST_F(Import, TimesThatGoBackAreNamedInPlaceOfTheirUnit) {
  const ImportResult result =
      import("time,position_0\n86399.0,1\n86399.5,1\n0.0,1\n0.5,1\n1.0,1\n");
  EXPECT_THAT(result.warnings,
              Contains(HasSubstr("the times go back from 86399.5 to 0, in row 3")));
  EXPECT_THAT(result.warnings, Not(Contains(HasSubstr("unit = "))));
}

TEST_F(Import, EqualNamesInTheRowsAreRefusedUnlessOthersAreGiven) {
  std::string text = "time,name0,name1,position0,position1\n0,a,a,0,1\n1,a,a,0,1\n";
  EXPECT_EQ(complaint(text),
            "log.csv: the columns of joint names hold 'a' twice; name the joints of the columns "
            "with `joints` a,b,c");
  ImportOptions options;
  options.joints = {"b", "c"};
  EXPECT_THAT(importCsv(csv(), log(), options).joint_names, ElementsAre("b", "c"));
}

TEST_F(Import, JointsAreChosenAmongTheNamesInTheRows) {
  writeText(csv(), std::string(kWithNames) + "0.01,lift,pan,2.5,1.5,4.5,3.5\n");
  ImportOptions options;
  options.joints = {"lift", "pan"};
  const ImportResult result = importCsv(csv(), log(), options);
  EXPECT_THAT(result.joint_names, ElementsAre("lift", "pan"));
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(2, 1));
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(2.5, 1.5));
  options.joints = {"shoulder", "elbow"};
  EXPECT_THAT(importCsv(csv(), log(), options).joint_names, ElementsAre("shoulder", "elbow"));
  EXPECT_EQ(imported().position.row(1), Eigen::RowVector2d(1.5, 2.5));
}

TEST_F(Import, TimesByTheirMagnitude) {
  const std::tuple<const char*, const char*, double, const char*> cases[] = {
      {"1700000000123456789", "1700000000133456789", 0.01, "x 1e-09 = s"},
      {"1700000000123456", "1700000000133456", 0.01, "x 1e-06 = s"},
      {"1700000000123", "1700000000133", 0.01, "x 0.001 = s"},
      {"0", "2000000", 0.002, "x 1e-09 = s"},
      {"0", "2000", 0.002, "x 1e-06 = s"},
      {"1700000000.25", "1700000000.5", 0.25, "s"}};
  for (const auto& [first, second, step, unit] : cases) {
    const ImportResult result = import(std::string("time,q0\n") + first + ",1\n" + second + ",2\n");
    EXPECT_NEAR(imported().time[1] - imported().time[0], step, 1e-15) << first;
    EXPECT_EQ(takenAs(result, "time"), "time  " + std::string(unit));
  }
  const ImportResult slow = import("time,q0,tau0\n0,1,0\n8,2,0\n16,3,0\n");
  EXPECT_THAT(slow.warnings,
              ElementsAre(HasSubstr("steps of 8 s, which is slow for a log of a robot: if they are "
                                    "milliseconds, set unit = \"ms\" under [time]")));
}

TEST_F(Import, TimesWithTooFewDigitsAreAWarning) {
  std::string rows = "time,q0,tau0\n";
  for (int k = 0; k < 400; ++k)
    rows += std::to_string(k / 200) + "," + std::to_string(0.01 * k) + ",0\n";
  EXPECT_THAT(import(rows).warnings,
              ElementsAre(HasSubstr("398 of the first 400 rows repeat the time of the row before: "
                                    "the times have too few digits")));
  rows = "header.stamp.sec,header.stamp.nanosec,q0,tau0\n";
  for (int k = 0; k < 400; ++k) rows += "7," + std::to_string(k) + "000000,0.1,0\n";
  EXPECT_TRUE(import(rows).warnings.empty());
}

TEST_F(Import, OneRowPerJointIsRefused) {
  EXPECT_THAT(
      complaint("time,joint,position,effort\n0,lift,1,5\n0,pan,2,6\n0.1,lift,1,5\n"
                "0.1,pan,2,6\n"),
      HasSubstr("there is one row per joint and time (column 'joint': lift, pan); write one "
                "row per time with columns for each joint, as in time, lift_position"));
  // A column of words beside one joint; two columns of one name; a counter in few seconds.
  import("time,x,x,position,effort\n0,1,1,1,5\n0,2,2,2,6\n0.1,1,1,1,5\n0.1,2,2,2,6\n");
  const ImportResult result = import(
      "header.stamp.sec,header.stamp.nanosec,seq,position\n7,0,1,1\n7,10000000,2,1\n8,0,3,1\n"
      "8,10000000,4,1\n");
  EXPECT_EQ(result.rows, 4);
  EXPECT_THAT(import("time,mode,position,effort\n0,on,1,5\n0.1,off,2,6\n0.2,on,1,5\n").joint_names,
              ElementsAre("joint_1"));
}

TEST_F(Import, UnitsThatWereOnlyAssumedAreNotWritten) {
  const auto unit = [&] { return H5Input(log()).textAttribute("position", "unit"); };
  import("time,x_position,x_force\n0,1,5\n0.1,2,6\n");
  EXPECT_THAT(unit(), IsEmpty());
  EXPECT_EQ(imported().effort.row(1), Eigen::RowVectorXd::Constant(1, 6.0));
  import("time,x_position [rad],x_torque\n0,1,5\n0.1,2,6\n");
  EXPECT_THAT(unit(), ElementsAre("rad"));
  import("time,x_position,x_torque\n0,1,5\n0.1,2,6\n",
         "joints = [\"x\"]\nprismatic = [\"x\"]\n[time]\ncolumn = \"time\"\n"
         "[position]\ncolumns = [\"x_position\"]\n");
  EXPECT_THAT(unit(), ElementsAre("m"));
}

TEST_F(Import, DegreesAreSuspected) {
  const ImportResult result = import("t,q0,q1,i0,i1\n0,1,90,0,0\n0.1,1,-120,0,0\n");
  EXPECT_THAT(
      result.warnings,
      ElementsAre(
          "positions of joint_2 reach 120 rad: if these are degrees, set unit = \"deg\" under "
          "[position] in a mapping file (`mapping`), also under [velocity], or write the unit into "
          "the header, as in q0 [deg]"));
  EXPECT_TRUE(import("t,q0 [deg],q1 [deg],i0,i1\n0,1,90,0,0\n0.1,1,-120,0,0\n").warnings.empty());
}

TEST_F(Import, JointNamesAloneAsAMapping) {
  ImportOptions options;
  options.joints = {"lift", "pan"};
  writeText(csv(), "0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n");
  ImportResult result = importCsv(csv(), log(), options);
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5, 6));
  EXPECT_EQ(takenAs(result, "column 5"), "velocity pan rad/s (assumed)");
  writeText(csv(), "0,1,2,3\n1,1,2,3\n");
  EXPECT_THAT(messageOf<InputError>([&] { importCsv(csv(), log(), options); }),
              HasSubstr("its 4 columns are neither time and 2 positions nor"));
  writeText(csv(), "time,pan,lift,tau_pan,lift.torque\n0,1,2,3,4\n1,1,2,3,4\n");
  result = importCsv(csv(), log(), options);
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(2, 1));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(4, 3));
  writeText(csv(), "time,a_position,lift_position,pan_position\n0,1,2,3\n1,1,2,3\n");
  importCsv(csv(), log(), options);
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(2, 3));
}

// Found by mutation: header names beyond the number of fields were read out of bounds, or gave the
// value of an earlier line.
TEST_F(Import, AHeaderWithMoreNamesThanTheRowsHaveFields) {
  const std::string mapping =
      "[time]\ncolumn = \"time\"\n[position]\ncolumns = [\"q1\", \"q2\"]\n"
      "[effort]\ncolumns = [\"tau1\", \"tau2\"]\n";
  const std::filesystem::path damaged =
      std::filesystem::path(DYNID_DATASETS_DIR) / "../tests/logs/damaged";
  writeText(map(), mapping);
  ImportOptions options;
  options.mapping = map();
  for (const bool skip : {false, true}) {
    options.skip_bad_rows = skip;
    for (const char* name : {"csv_header_longer_than_rows.csv", "csv_silent_stale.csv"})
      EXPECT_THAT(
          messageOf<InputError>([&] { importCsv(damaged / name, log(), options); }),
          HasSubstr(":1: the header has 5 names, but the rows have 4 fields; correct the header"))
          << name;
  }
  options.mapping.reset();
  for (const char* name : {"csv_oob_asan_input", "csv_min"})
    EXPECT_NE(messageOf<InputError>([&] { importCsv(damaged / name, log(), options); }),
              "(nothing was thrown)");
  EXPECT_FALSE(std::filesystem::exists(log()));
}

TEST_F(Import, DelimitersAtTheEnd) {
  EXPECT_EQ(import("t,q0,\n0,1,\n1,2,\n").rows, 2);
  EXPECT_EQ(import("t,q0\n0,1,\n1,2,\n").rows, 2);
  EXPECT_EQ(import("t,q0,\n0,1\n1,2\n").rows, 2);
  std::filesystem::remove(log());
  EXPECT_THAT(complaint("t,q0\n0,1,5\n1,2,5\n"),
              HasSubstr("log.csv:1: the header has 2 names, but the rows have 3 fields"));
}

// The example in the comment of the header file is read as printed there.
TEST_F(Import, TheExampleOfAMapping) {
  std::ifstream in(std::filesystem::path(DYNID_DATASETS_DIR) /
                   "../lib/dynid/import/import_mapping.h");
  std::string example, line;
  while (std::getline(in, line))
    if (line.starts_with("///     ")) example += line.substr(8) + "\n";
  writeText(map(), example);
  const ImportMapping mapping = readImportMapping(map());
  EXPECT_EQ(mapping.joints.size(), 2U);
}

TEST_F(Import, OutputThatCannotBeWritten) {
  writeText(csv(), "t,q0\n0,1\n1,2\n");
  const auto nowhere = directory_.file("nowhere") / "log.h5";
  EXPECT_THAT(messageOf<OutputError>([&] { importCsv(csv(), nowhere); }),
              HasSubstr("cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace dynid
