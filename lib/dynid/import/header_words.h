#pragma once

#include "dynid/import/import_mapping.h"

#include <array>
#include <string_view>
#include <utility>

namespace dynid {

/// A word in the header of a CSV and the quantity that it denotes.
struct HeaderWord {
  std::string_view name;
  Quantity quantity;
  int rank;  ///< of several families of one channel, the one with the highest rank is used
};

/// Words before a joint's number: q3, actual_qd_0, tau_J[2].
/// position_0 has the rank of q_0, because it may be the position of the tool.
inline constexpr std::array kPrefixes =
    std::to_array<HeaderWord>({{"q", Quantity::kPosition, 1},
                               {"pos", Quantity::kPosition, 1},
                               {"position", Quantity::kPosition, 1},
                               {"joint_position", Quantity::kPosition, 2},
                               {"joint_pos", Quantity::kPosition, 2},
                               {"theta", Quantity::kPosition, 0},
                               {"angle", Quantity::kPosition, 0},
                               {"ang", Quantity::kPosition, 0},
                               {"aipos_a", Quantity::kPosition, 3},  // KUKA: AIPos_A1
                               {"q_meas", Quantity::kPosition, 3},
                               {"q_measured", Quantity::kPosition, 3},
                               {"actual_q", Quantity::kPosition, 3},
                               {"q_actual", Quantity::kPosition, 3},
                               {"dq", Quantity::kVelocity, 1},
                               {"qd", Quantity::kVelocity, 1},
                               {"qdot", Quantity::kVelocity, 1},
                               {"vel", Quantity::kVelocity, 1},
                               {"velocity", Quantity::kVelocity, 2},
                               {"joint_velocity", Quantity::kVelocity, 2},
                               {"joint_vel", Quantity::kVelocity, 2},
                               {"actual_qd", Quantity::kVelocity, 3},
                               {"dq_actual", Quantity::kVelocity, 3},
                               {"dq_meas", Quantity::kVelocity, 3},
                               {"dq_measured", Quantity::kVelocity, 3},
                               {"ddq", Quantity::kAcceleration, 1},
                               {"qdd", Quantity::kAcceleration, 1},
                               {"acc", Quantity::kAcceleration, 1},
                               {"acceleration", Quantity::kAcceleration, 2},
                               {"tau", Quantity::kEffort, 1},
                               {"torque", Quantity::kEffort, 1},
                               {"torque_a", Quantity::kEffort, 2},  // KUKA: Torque_A1
                               {"trq", Quantity::kEffort, 0},
                               {"eff", Quantity::kEffort, 0},
                               {"effort", Quantity::kEffort, 2},
                               {"joint_torque", Quantity::kEffort, 2},
                               {"joint_effort", Quantity::kEffort, 2},
                               {"tau_j", Quantity::kEffort, 3},
                               {"tau_meas", Quantity::kEffort, 3},
                               {"tau_measured", Quantity::kEffort, 3},
                               {"i", Quantity::kCurrent, 0},
                               {"cur", Quantity::kCurrent, 0},
                               {"curr", Quantity::kCurrent, 0},
                               {"current", Quantity::kCurrent, 2},
                               {"macur_a", Quantity::kCurrent, 2},    // KUKA: MACur_A1
                               {"current_a", Quantity::kCurrent, 2},  // Current_A1
                               {"motor_current", Quantity::kCurrent, 2},
                               {"joint_current", Quantity::kCurrent, 2},
                               {"actual_current", Quantity::kCurrent, 3}});

/// Words after a joint's name: elbow_position, elbow/effort. Those of rank 0 yield to the others.
inline constexpr std::array kSuffixes =
    std::to_array<HeaderWord>({{"position", Quantity::kPosition, 2},
                               {"pos", Quantity::kPosition, 1},
                               {"velocity", Quantity::kVelocity, 2},
                               {"vel", Quantity::kVelocity, 1},
                               {"acceleration", Quantity::kAcceleration, 2},
                               {"acc", Quantity::kAcceleration, 1},
                               {"effort", Quantity::kEffort, 2},
                               {"torque", Quantity::kEffort, 2},
                               {"force", Quantity::kEffort, 1},
                               {"current", Quantity::kCurrent, 2},
                               {"angle", Quantity::kPosition, 0},
                               {"ang", Quantity::kPosition, 0},
                               {"q", Quantity::kPosition, 0},
                               {"dq", Quantity::kVelocity, 0},
                               {"qd", Quantity::kVelocity, 0},
                               {"qdot", Quantity::kVelocity, 0},
                               {"ddq", Quantity::kAcceleration, 0},
                               {"qdd", Quantity::kAcceleration, 0},
                               {"tau", Quantity::kEffort, 0},
                               {"eff", Quantity::kEffort, 0},
                               {"trq", Quantity::kEffort, 0},
                               {"cur", Quantity::kCurrent, 0},
                               {"curr", Quantity::kCurrent, 0}});

/// Names before a suffix of rank 0 that are no joints: ref_q, cmd_dq. Behind the name of a joint
/// they denote no measurement: elbow_command_position.
inline constexpr std::array<std::string_view, 15> kCommands = {"ref",
                                                               "reference",
                                                               "setpoint",
                                                               "soll",
                                                               "des",
                                                               "desired",
                                                               "cmd",
                                                               "command",
                                                               "commanded",
                                                               "target",
                                                               "goal",
                                                               "set",
                                                               "err",
                                                               "error",
                                                               "demand"};

/// Words that say no more than that a quantity was measured: elbow_actual_position,
/// elbow_position_meas, elbow_torque_actual_value.
inline constexpr std::array<std::string_view, 7> kMeasured = {
    "actual", "act", "measured", "meas", "feedback", "fbk", "value"};

/// A numbered axis with a unit in brackets needs no further word: J1 (deg), Axis 2 [Nm].
inline constexpr std::array<std::string_view, 3> kAxes = {"j", "joint", "axis"};

/// Units at the end of a name: position_deg, qd_0_rad_s.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 27> kUnitSuffixes = {
    {{"_rad_per_s2", "rad/s^2"},
     {"_deg_per_s2", "deg/s^2"},
     {"_rad_per_s", "rad/s"},
     {"_deg_per_s", "deg/s"},
     {"_rad_s2", "rad/s^2"},
     {"_deg_s2", "deg/s^2"},
     {"_radians", "rad"},
     {"_degrees", "deg"},
     {"_rad_s", "rad/s"},
     {"_deg_s", "deg/s"},
     {"_radps", "rad/s"},
     {"_degps", "deg/s"},
     {"_rads", "rad/s"},
     {"_degs", "deg/s"},
     {"_mrad", "mrad"},
     {"_rad", "rad"},
     {"_deg", "deg"},
     {"_rpm", "rpm"},
     {"_mnm", "mN m"},
     {"_nm", "N m"},
     {"_m_s", "m/s"},
     {"_mps", "m/s"},
     {"_ma", "mA"},
     {"_mm", "mm"},
     {"_n", "N"},
     {"_a", "A"},
     {"_m", "m"}}};

}  // namespace dynid
