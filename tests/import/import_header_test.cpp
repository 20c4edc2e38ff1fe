#include "dynid/import/import_header.h"

#include "import/imported_csv.h"
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using ImportHeader = Import;

TEST_F(ImportHeader, RecognisesAnRtdeRecording) {
  const ImportResult result = import(
      "timestamp target_q_0 target_q_1 actual_q_0 actual_q_1 actual_qd_0 actual_qd_1 "
      "actual_current_0 actual_current_1 robot_mode\n"
      "100.0 9 9 1 2 3 4 5 6 7\n"
      "100.002 9 9 1.5 2.5 3.5 4.5 5.5 6.5 7\n");
  EXPECT_EQ(result.effort_kind, EffortKind::kCurrent);
  EXPECT_TRUE(result.has_velocity);
  EXPECT_THAT(result.joint_names, ElementsAre("joint_1", "joint_2"));
  const RawBlock block = imported();
  EXPECT_EQ(block.time, Eigen::Vector2d(100.0, 100.002));
  EXPECT_EQ(block.position.row(0), Eigen::RowVector2d(1, 2));
  EXPECT_EQ(block.velocity.row(1), Eigen::RowVector2d(3.5, 4.5));
  EXPECT_EQ(block.effort.row(0), Eigen::RowVector2d(5, 6));
}

TEST_F(ImportHeader, RecognisesColumnsByJointAndUnits) {
  const ImportResult result = import(
      "time_ms,/arm/elbow/position [deg],/arm/elbow/effort [Nm],/arm/lift/position [mm],"
      "/arm/lift/effort [N]\n"
      "0,180,1,1000,2\n1,90,3,500,4\n");
  EXPECT_THAT(result.joint_names, ElementsAre("elbow", "lift"));
  EXPECT_EQ(result.taken.front().source, "time_ms");
  EXPECT_EQ(result.taken.front().unit, "x 0.001 = s");
  const RawBlock block = imported();
  EXPECT_DOUBLE_EQ(block.time[1], 0.001);
  EXPECT_DOUBLE_EQ(block.position(0, 0), std::numbers::pi);
  EXPECT_DOUBLE_EQ(block.position(1, 1), 0.5);
  EXPECT_EQ(block.effort.row(1), Eigen::RowVector2d(3, 4));
  EXPECT_THAT(LogReader(log()).prismatic(), ElementsAre(false, true));
}

TEST_F(ImportHeader, NamesWithBlanksAndUnitsAreRecognised) {
  const ImportResult result = import(
      "Time (ms),Joint 1 Position (deg),Joint 2 Position (deg),Joint 1 Torque (Nm),"
      "Joint 2 Torque (Nm)\n0,90,180,1,2\n10,90,180,3,4\n");
  EXPECT_THAT(result.joint_names, ElementsAre("Joint 1", "Joint 2"));
  const RawBlock block = imported();
  EXPECT_DOUBLE_EQ(block.time(1), 0.01);
  EXPECT_DOUBLE_EQ(block.position(0, 1), std::numbers::pi);
  EXPECT_DOUBLE_EQ(block.effort(1, 0), 3.0);
}

TEST_F(ImportHeader, UnitsAtTheEndOfNames) {
  const ImportResult result = import(
      "time,elbow_position_deg,elbow_velocity_deg_s,elbow_effort_nm,lift_position_mm,"
      "lift_velocity_m_s,lift_effort_n\n0,180,90,1,1000,1,2\n1,90,180,3,500,1,4\n");
  EXPECT_THAT(result.joint_names, ElementsAre("elbow", "lift"));
  EXPECT_EQ(takenAs(result, "elbow_position_deg"), "position elbow x 0.0174533 = rad");
  EXPECT_EQ(takenAs(result, "lift_effort_n"), "effort lift N");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), std::numbers::pi);
  EXPECT_DOUBLE_EQ(imported().velocity(1, 0), std::numbers::pi);
  EXPECT_DOUBLE_EQ(imported().position(1, 1), 0.5);
  import("t,position_deg_0,position_deg_1,q_unused\n0,180,90,1\n1,90,180,3\n");
  EXPECT_DOUBLE_EQ(imported().position(0, 1), std::numbers::pi / 2);
}

TEST_F(ImportHeader, WordsBeforeTheNamesOfJoints) {
  // Without efforts, currents or velocities of the same names, "q_elbow" may be anything.
  EXPECT_THAT(complaint("time,q_elbow,q_lift\n0,1,2\n1,1,2\n"),
              HasSubstr("no columns of positions"));
  const ImportResult result = import(
      "time,q_elbow_deg,q_lift_1_deg,dq_elbow,tau_elbow_nm,tau_lift_1_nm\n0,180,1,3,4,5\n"
      "1,90,1,3,4,5\n");
  EXPECT_THAT(result.joint_names, ElementsAre("elbow", "lift_1"));
  EXPECT_EQ(takenAs(result, "q_elbow_deg"), "position elbow x 0.0174533 = rad");
  EXPECT_EQ(takenAs(result, "tau_lift_1_nm"), "effort lift_1 N m");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), std::numbers::pi);
  EXPECT_DOUBLE_EQ(imported().effort(0, 1), 5.0);
}

// A gripper without efforts: the remedies are followed.
TEST_F(ImportHeader, EffortsOfSomeJointsOnly) {
  const std::string named = "t,arm_q,grip_q,arm_tau\n0,1,2,3\n1,4,5,6\n";
  EXPECT_THAT(import(named).notes,
              Contains("columns in N m for 1 of 2 joints only: not used; to import only the joints "
                       "that have them, name these: `joints` arm"));
  ImportOptions options;
  options.joints = {"arm"};
  EXPECT_EQ(importCsv(csv(), log(), options).effort_kind, EffortKind::kEffort);
  const std::string counted = "t,q_1,q_2,tau_1\n0,1,2,3\n1,4,5,6\n";
  EXPECT_THAT(import(counted).notes,
              Contains("columns in N m for 1 of 2 joints only: not used; to import only the joints "
                       "that have them, assign their columns under [time], [position] and [effort] "
                       "in a mapping file (`mapping`)"));
  import(counted,
         "[time]\ncolumn = \"t\"\n[position]\ncolumns = \"q_1\"\n[effort]\ncolumns = \"tau_1\"\n");
  EXPECT_EQ(imported().effort(1, 0), 6.0);
}

TEST_F(ImportHeader, CommandsBeforeNumbersAreNoJoints) {
  for (const std::string command : {"d", "des", "cmd", "ref", "setpoint"}) {
    const auto column = [&](const std::string& quantity, int number) {
      return "," + quantity + "_" + command + "_" + std::to_string(number);
    };
    std::string header = "time";
    for (const char* quantity : {"q", "dq", "tau"})
      header += column(quantity, 1) + column(quantity, 2);
    EXPECT_THAT(complaint(header + "\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n"),
                HasSubstr("no columns of positions"))
        << header;
  }
  EXPECT_THAT(import("time,q_d,q_e,tau_d,tau_e\n0,1,2,3,4\n1,1,2,3,4\n").joint_names,
              ElementsAre("d", "e"));
}

TEST_F(ImportHeader, MeasuredAndCommandedValues) {
  for (const char* header : {"a_position_actual,b_position_actual,a_position_command,"
                             "b_position_command,a_torque_actual,b_torque_actual",
                             "a_actual_position,b_actual_position,a_command_position,"
                             "b_command_position,a_actual_torque,b_actual_torque",
                             "a_q_act,b_q_act,a_q_ref,b_q_ref,a_tau_act,b_tau_act",
                             "a position actual value [rad],b position actual value [rad],"
                             "a position demand value [rad],b position demand value [rad],"
                             "a torque actual value [Nm],b torque actual value [Nm]"}) {
    const ImportResult result =
        import(std::string("time,") + header + "\n0,1,2,8,8,5,6\n1,1,2,8,8,5,6\n");
    EXPECT_THAT(result.joint_names, ElementsAre("a", "b")) << header;
    EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2)) << header;
    EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5, 6)) << header;
  }
  EXPECT_THAT(complaint("time,a_position,a_actual_position,a_torque\n0,1,2,3\n1,1,2,3\n"),
              HasSubstr("'a_position' and 'a_actual_position' may both be the position of a"));
}

// The names of the axes are letters of the words before them.
TEST_F(ImportHeader, JointsOfOneLetter) {
  const ImportResult result =
      import("time,pos_a,pos_y,velocity_a,velocity_y,tau_a,tau_y\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n");
  EXPECT_THAT(result.joint_names, ElementsAre("a", "y"));
  EXPECT_EQ(imported().velocity.row(0), Eigen::RowVector2d(3, 4));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5, 6));
}

TEST_F(ImportHeader, WordsOfDriversAndTeachPendants) {
  struct Case {
    const char* header;
    const char* first_joint;
    EffortKind kind;
  };
  for (const auto& [header, first_joint, kind] :
       {Case{"pos_a,pos_b,eff_a,eff_b", "a", EffortKind::kEffort},
        Case{"angle_a,angle_b,trq_a,trq_b", "a", EffortKind::kEffort},
        Case{"pos_0,pos_1,cur_0,cur_1", "joint_1", EffortKind::kCurrent},
        Case{"q_meas_0,q_meas_1,tau_meas_0,tau_meas_1", "joint_1", EffortKind::kEffort},
        Case{"J1 angle [rad],J2 angle [rad],J1 torque [Nm],J2 torque [Nm]",
             "J1",
             EffortKind::kEffort}}) {
    const ImportResult result = import(std::string("time,") + header + "\n0,1,2,3,4\n1,1,2,3,4\n");
    EXPECT_EQ(result.joint_names.at(0), first_joint) << header;
    EXPECT_EQ(result.effort_kind, kind) << header;
    EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2)) << header;
    EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(3, 4)) << header;
  }
  for (const char* header : {"J1 (\u00b0),J2 (\u00b0),J1 (Nm),J2 (Nm)",
                             "J1 Ang(deg),J2 Ang(deg),J1 Trq(Nm),J2 Trq(Nm)",
                             "Axis 1 [deg],Axis 2 [deg],Axis 1 [N m],Axis 2 [N m]"}) {
    import(std::string("time,") + header + "\n0,90,180,3,4\n1,90,180,3,4\n");
    EXPECT_DOUBLE_EQ(imported().position(0, 1), std::numbers::pi) << header;
    EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(3, 4)) << header;
  }
  for (const auto& [word, kind] : {std::pair{"MACur", EffortKind::kCurrent},
                                   std::pair{"Current", EffortKind::kCurrent},
                                   std::pair{"Torque", EffortKind::kEffort}}) {
    const ImportResult kuka =
        import(fmt::format("time,AIPos_A1,AIPos_A2,{0}_A1,{0}_A2\n0,1,2,3,4\n1,1,2,3,4\n", word));
    EXPECT_EQ(kuka.effort_kind, kind) << word;
    EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2)) << word;
    EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(3, 4)) << word;
  }
  // The measured values are taken, not the wanted ones.
  import(
      "time,q_des_0,q_des_1,q_meas_0,q_meas_1,tau_cmd_0,tau_cmd_1,tau_meas_0,tau_meas_1\n"
      "0,8,8,1,2,9,9,3,4\n1,8,8,1,2,9,9,3,4\n");
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(3, 4));
}

TEST_F(ImportHeader, ShortWordsAfterTheNamesOfJoints) {
  struct Case {
    const char* header;
    EffortKind kind;
  };
  for (const auto& [header, kind] :
       {Case{"j1_q,j2_q,j1_dq,j2_dq,j1_tau,j2_tau", EffortKind::kEffort},
        Case{"j1_q,j2_q,j1_qd,j2_qd,j1_trq,j2_trq", EffortKind::kEffort},
        Case{"j1/pos,j2/pos,j1/vel,j2/vel,j1/eff,j2/eff", EffortKind::kEffort},
        Case{"j1.q,j2.q,j1.vel,j2.vel,j1.cur,j2.cur", EffortKind::kCurrent}}) {
    const ImportResult result =
        import(std::string("time,") + header + "\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n");
    EXPECT_THAT(result.joint_names, ElementsAre("j1", "j2")) << header;
    EXPECT_EQ(result.effort_kind, kind) << header;
    EXPECT_EQ(imported().velocity.row(0), Eigen::RowVector2d(3, 4)) << header;
    EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5, 6)) << header;
  }
  // A velocity of one joint only is not used; what follows "ref" is not a joint.
  const ImportResult partial = import(
      "time,joint_1_pos,joint_2_pos,joint_1_vel,joint_1_tau,joint_2_tau,ref_q\n"
      "0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n");
  EXPECT_THAT(partial.joint_names, ElementsAre("joint_1", "joint_2"));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(4, 5));
  EXPECT_THAT(partial.notes, Contains("columns not used: joint_1_vel, ref_q"));
  // Longer words have precedence.
  import("time,a_q,a_position,a_torque,a_tau\n0,1,2,3,4\n1,1,2,3,4\n");
  EXPECT_EQ(imported().position(0, 0), 2.0);
  EXPECT_EQ(imported().effort(0, 0), 3.0);
}

TEST_F(ImportHeader, AnUnknownUnitIsRefused) {
  EXPECT_THAT(complaint("time,q0 [ticks],tau0\n0,1,2\n1,2,3\n"),
              HasSubstr("log.csv: column 'q0': 'ticks' is not a known unit (rad, deg, m, mm, ...); "
                        "assign the column under [position] in a mapping file (`mapping`) with its "
                        "`unit`, and `scale` where one is needed"));
  EXPECT_THAT(complaint("time,q0,tau0 [%]\n0,1,2\n1,2,3\n"), HasSubstr("under [effort] in"));
  import("time,q0 [ticks],tau0\n0,4096,2\n1,2048,3\n",
         "[time]\ncolumn = \"time\"\n[position]\ncolumns = \"q0 [ticks]\"\nunit = \"rev\"\n"
         "scale = 0.000244140625\n");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), 2.0 * std::numbers::pi);
  import("time,q0 [\xb0],dq0 [\xb0/s]\n0,180,90\n1,90,90\n");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), std::numbers::pi);
  EXPECT_DOUBLE_EQ(imported().velocity(0, 0), std::numbers::pi / 2);
}

TEST_F(ImportHeader, LessUsualNamesOfTimes) {
  for (const char* name : {"ts",
                           "sec",
                           "secs",
                           "seconds",
                           "stamp",
                           "time_stamp",
                           "time_seconds",
                           "elapsed",
                           "elapsed_time",
                           "elapsed_s",
                           "%stamp"}) {
    import(std::string(name) + ",q0,tau0\n0,1,2\n0.5,1,2\n");
    EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.5)) << name;
  }
  import("rosbagTimestamp,q0,tau0\n1700000000000000000,1,2\n1700000000010000000,1,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.01));
  import("timestamp_ns,q0,tau0\n0,1,2\n10000000,1,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.01));
  // A usual name has precedence.
  import("ts,time,q0,tau0\n5,0,1,2\n5,1,1,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 1.0));
}

TEST_F(ImportHeader, OneJointNeedsNoNumber) {
  const ImportResult result = import("time,position_deg,velocity,torque\n0,180,1,2\n1,90,1,2\n");
  EXPECT_THAT(result.joint_names, ElementsAre("joint_1"));
  EXPECT_DOUBLE_EQ(imported().position(0, 0), std::numbers::pi);
  EXPECT_EQ(result.effort_kind, EffortKind::kEffort);
}

TEST_F(ImportHeader, StampsOfRosInTwoColumns) {
  for (const char* names : {"header.stamp.sec,header.stamp.nanosec",
                            "/js/header/stamp/sec,/js/header/stamp/nanosec",
                            "field.header.stamp.secs,field.header.stamp.nsecs",
                            "sec,nanosec"}) {
    const ImportResult result = import(std::string("__time,") + names +
                                       ",q0\n5,1700000000,999999999,1\n6,1700000001,1,2\n");
    EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 2e-9)) << names;
    EXPECT_THAT(result.notes, Contains("time is counted from the first row"));
  }
}

TEST_F(ImportHeader, TheTimeIsThatOfThePositions) {
  struct Case {
    const char *header, *time;
  };
  for (const auto& [header, time] :
       {Case{"cycle_time,time,q0,tau0", "time"},
        Case{"step_time_s,timestamp,q0,tau0", "timestamp"},
        Case{"cycle_time,/js/timestamp,/js/position[0],/js/effort[0]", "/js/timestamp"},
        Case{"time,header.stamp,q0,tau0", "header.stamp"},
        Case{"/imu/header/stamp,/js/header/stamp,/js/a/position,/js/a/effort", "/js/header/stamp"},
        Case{"/imu/header/stamp,__time,/js/a/position,/js/a/effort", "__time"},
        Case{"header.stamp,/js/header/stamp,/js/position[0],/js/effort[0]", "/js/header/stamp"},
        Case{"/imu/header/stamp,cycle_time,/js/position[0],/js/effort[0]", "/imu/header/stamp"}}) {
    const ImportResult result = import(std::string(header) + "\n0,1,2,3\n0.01,2,3,4\n");
    EXPECT_EQ(result.taken.front().source, time) << header;
  }
  const ImportResult result = import(
      "/imu/header/stamp/sec,/imu/header/stamp/nanosec,/js/header/stamp/sec,"
      "/js/header/stamp/nanosec,/js/position[0]\n1,1,2,2,5\n3,3,4,4,6\n");
  EXPECT_EQ(result.taken.front().source, "/js/header/stamp/sec");
}

TEST_F(ImportHeader, ColumnsThatMayBothBeIt) {
  EXPECT_EQ(complaint("t,/js/position[0],/cmd/position[0]\n0,1,2\n1,2,3\n"),
            "log.csv: '/cmd/position[0]' and '/js/position[0]' may both be the position; assign "
            "the columns in a mapping file (`mapping`)");
  EXPECT_THAT(complaint("t,/js/a/position,/cmd/a/position\n0,1,2\n1,2,3\n"),
              HasSubstr("'/js/a/position' and '/cmd/a/position' may both be the position of a"));
  EXPECT_THAT(complaint("t,q_0,q_1,q_2,tau_0,tau_1,tau_2,position_0,position_1,position_2\n"
                        "0,1,2,3,4,5,6,7,8,9\n1,1,2,3,4,5,6,7,8,9\n"),
              HasSubstr("'q_0' and 'position_0' may both be the position"));
  EXPECT_THAT(complaint("t,q_0,q_1,position_0,position_1,position_2\n0,1,2,3,4,5\n1,1,2,3,4,5\n"),
              HasSubstr("'q_0' and 'position_0' may both be the position"));
  EXPECT_THAT(complaint("t,a_position,b_position,position_0,position_1,position_2\n"
                        "0,1,2,3,4,5\n1,1,2,3,4,5\n"),
              HasSubstr("'a_position' and 'position_0' may both be the position"));
}

// Three columns called position_0, ... are often the position of the tool.
TEST_F(ImportHeader, ThePositionsAreAsManyAsTheEfforts) {
  const std::string rows = "0,1,2,3,4,5,6,7\n1,1,2,3,4,5,6,7\n";
  import("t,q_0,q_1,tau_0,tau_1,position_0,position_1,position_2\n" + rows);
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(3, 4));
  import("t,a_position,b_position,a_effort,b_effort,position_0,position_1,position_2\n" + rows);
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2));
  import("t,q_0,q_1,dq_0,dq_1,velocity_0,velocity_1,velocity_2\n" + rows);
  EXPECT_EQ(imported().velocity.row(0), Eigen::RowVector2d(3, 4));
  writeText(csv(), "t,q_0,q_1,position_0,position_1,position_2,x,y\n" + rows);
  ImportOptions options;
  options.joints = {"a", "b"};
  importCsv(csv(), log(), options);
  EXPECT_EQ(imported().position.row(0), Eigen::RowVector2d(1, 2));
  import("t,joint_position,joint_torque,x,y,z,u,v\n" + rows);
  EXPECT_EQ(imported().effort(0, 0), 2.0);
}

}  // namespace
}  // namespace dynid
