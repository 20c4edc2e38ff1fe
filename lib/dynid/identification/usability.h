#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/find_gains.h"
#include "dynid/model/model.h"
#include "dynid/signals/finding.h"

#include <string>
#include <vector>

namespace dynid {

/// Cross-validated R2 below which a joint is not identified.
inline constexpr double kNotIdentifiedR2 = 0.3;

/// Whether the logs explain the effort of a channel: false where its cross-validated R2 is below
/// kNotIdentifiedR2 or its relative error above kLargestJointError.
bool isIdentified(const ChannelFit& channel);

/// Noise floor below which an effort is clear. The efforts of the three joints of nine real robots
/// with an R2 below 0.3 have 0.36 to 0.85; those of wrong columns in simulated logs below 0.1.
inline constexpr double kClearEffort = 0.3;
inline bool isClear(const ChannelFit& channel) { return channel.noise_floor < kClearEffort; }

/// Reasons why a model must not be used: its values are not possible for a real machine, or its fit
/// explains too little of the effort. One sentence each, with the number and the remedy; empty if
/// there is none. Rules:
///
///     error        of the fit, or cross-validated beyond the noise floor, above kLargestError
///     joints       more than half of the joints do not move, or are not identified (isIdentified)
///     bounds       physical consistency and bounds make the squared error more than four times
///                  that of unconstrained least squares, and the relative error is above 0.1, or
///                  above 0.02 and three times the noise floor; or more than nine times for a
///                  joint, where a bound of the description or a stated payload is the reason
///     logs         contradict each other in the efforts they need (log_reservations.h)
///     total mass   more than 25 times that of uniform rods of the robot's size, unless it is
///                  within a factor of five of the masses of the description
///     centre       of mass of a link (of at least 5 % of the total mass) further from its joint
///                  than twice the reach of the robot
///     drive        inertia above 20 times the mass of uniform rods at the reach of the robot
///
/// Masses, centres and drives are judged only for trees of at least four bodies: for other robots
/// uniform rods are no estimate.
std::vector<std::string> implausibilities(const Model& model);

/// Which joints' predicted efforts may be used. Not usable: joints that do not move, joints whose
/// effort the logs do not explain (isIdentified), and joints with an implausible drive inertia.
std::vector<JointStatus> jointStatuses(const Model& model);

/// Limits of the use of a usable model, one sentence each: unknown common scale, doubtful drive
/// gains (gain_reservations.h), joints that must not be used, parameters that the logs do not
/// determine, poor excitation (condition number above 1000; less than 0.1 s of motion per
/// identified combination), a high price of physical consistency and negative springs
/// (physics_reservations.h), masses and payloads that are not as stated (mass_reservations.h), an
/// error above kDoubtfulError, of all joints or of one, efforts that seem to be no measurement
/// (effort_reservations.h), and the choice of logs (log_reservations.h).
/// @param diagnoses  one per log: duration of the logs, and how often the joints reverse in them
/// @param gains  FoundGains::doubtful
/// @param friction  frictionShares; empty: not known
std::vector<std::string> reservations(const Model& model,
                                      const std::vector<Diagnosis>& diagnoses,
                                      const std::vector<DoubtfulGain>& gains = {},
                                      const Eigen::VectorXd& friction = {});

/// What was assumed about the training logs (LogRecord::assumptions), one clause each; with the
/// name of the log where not the same was assumed about all of them.
std::vector<std::string> assumptionsBehind(const Model& model);

/// The final status: adds to the model's status the mistakes for which diagnosis or audit would
/// refuse a log (the run was forced), implausible values, efforts that do not follow from the
/// motion (unexplained_efforts.h), efforts that are later or earlier than the search for delays
/// reaches, and, if the model may be used, its reservations: first a doubtful unit of the efforts,
/// the mistakes and late efforts that the diagnosis warns of, and held joints that move or are
/// elsewhere in a log, last the clipped efforts, spikes, efforts at zero and jumping or held
/// positions that the audit or the diagnosis found. A joint with spikes may not be used if its
/// cross-validated error is above kLargestError.
/// @param audits  per log, as Identification::audits
/// @param gains, friction  as reservations
ModelStatus judgedStatus(const Model& model,
                         const std::vector<std::vector<Finding>>& audits,
                         const std::vector<Diagnosis>& diagnoses = {},
                         const std::vector<DoubtfulGain>& gains = {},
                         const Eigen::VectorXd& friction = {});

}  // namespace dynid
