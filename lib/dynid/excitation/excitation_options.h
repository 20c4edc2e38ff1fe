#pragma once

#include "dynid/robot/surroundings.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

struct Robot;

/// Optimality criterion of a trajectory, a function of the information matrix M = W^T W / samples.
enum class Criterion {
  kD,  ///< -log det M: volume of the confidence ellipsoid
  kA,  ///< log trace M^-1: sum of the variances
  kE,  ///< -log of the smallest eigenvalue of M: the least determined combination of parameters
  kCondition,  ///< log of the condition number of W
};

/// Parses "d", "a", "e" or "condition". @throws std::invalid_argument for another name
Criterion criterionOf(const std::string& name);
const char* toString(Criterion criterion);

/// Limits set by the user in addition to those of the robot description.
struct LimitOptions {
  /// Replace the limits of the description: one value per joint, one for all, or empty. [rad/s or
  /// m/s, and per s, per s^2]
  std::vector<double> velocity, acceleration, jerk;
  double position_share = 1.0;      ///< (0, 1] of the range about its centre
  double velocity_share = 1.0;      ///< (0, 1]
  double acceleration_share = 1.0;  ///< (0, 1]
  /// (0, 1] Reduce it if the described inertias, from which efforts are computed, are inaccurate.
  double effort_share = 0.9;
  bool effort = true;  ///< false: efforts are not limited

  /// @throws std::invalid_argument with the name of the invalid field
  void check(int joints) const;
};

/// Settings of the collision constraints.
struct SpaceOptions {
  Surroundings surroundings;  ///< obstacles, ground, workspace; empty: those of the description
  /// [m] Radius of capsules, if the description has none: these are placed from the origin of every
  /// body to those of its children and of its fixed links. 0: 0.05 m, and only if the description
  /// contains obstacles.
  double link_radius = 0.0;
  double clearance = 0.01;  ///< [m] minimum distance between all surfaces, >= 0

  bool ignore = false;  ///< no collision constraints, whatever the description contains

  /// Whether there is anything to check.
  bool asked() const { return !ignore && (!surroundings.empty() || link_radius > 0.0); }
  /// @throws std::invalid_argument with the name of the invalid field
  void check() const;
};

/// Duration and extent of the search.
struct SearchOptions {
  int threads = 1;  ///< number of chains that run at the same time, each in a separate process
  /// The search ends after this time with the best so far; 0: no limit, `starts` is then required
  double seconds = 60.0;
  /// Number of chains after which the search ends; 0: only the time limit applies. With `starts`
  /// alone the result depends on the seed only, not on the machine or the number of threads.
  int starts = 0;
  int hops = 2;  ///< random steps from the best trajectory of a chain

  /// @throws std::invalid_argument with the name of the invalid field
  void check() const;
};

/// Settings for the design of an excitation trajectory.
struct ExcitationOptions {
  double duration_s = 20.0;  ///< [s] of one period, > 0
  int harmonics = 5;         ///< 1 to 50; more harmonics give richer motion and a longer search
  int periods = 1;           ///< number of repetitions of the period, >= 1
  /// [Hz] sample rate of the written samples and of the log that is forecast
  double rate_hz = 100.0;
  /// Optimality criterion; the condition number does not depend on the noise.
  Criterion criterion = Criterion::kCondition;
  /// [N m or N] Standard deviation of the effort noise: one value per actuator, one for all, or
  /// empty: that of the statistics of earlier logs; without these 1 % of the effort limit if every
  /// joint has one, otherwise 1.
  std::vector<double> noise;
  /// False: drive inertias are not sought, whatever the robot description says
  bool drive_inertia = true;
  LimitOptions limits;  ///< limits of the motion beyond those of the robot description
  /// The series itself begins and ends at rest, without lead-in and lead-out; `start` must then be
  /// empty.
  bool from_rest = false;
  /// [rad or m] posture at rest before and after the motion; empty: chosen by the design
  std::vector<double> start;
  /// Files of statistics of earlier logs (IdentificationSettings::keep_statistics), which the new
  /// log is to complement.
  std::vector<std::filesystem::path> statistics;
  std::string payload_link;  ///< not empty: a payload at this link is sought and the robot is known
  double payload_mass = 0.0;  ///< [kg] expected mass of that payload, for the efforts; >= 0
  SpaceOptions space;         ///< obstacles and collision settings
  /// Of the random starts; the same seed gives the same design if `search.starts` is set.
  std::uint64_t seed = 1;
  SearchOptions search;  ///< duration and extent of the search

  /// Number of samples of the periodic part of the written trajectory.
  double samples() const;
  /// @throws std::invalid_argument with the name of the invalid field
  void check(const Robot& robot) const;
};

}  // namespace dynid
