#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// "passed", "failed" or "not judged".
std::string toText(JointVerdict::Outcome outcome);

/// What an error leaves above the noise floor in the same norm: sqrt(error^2 - floor^2); the error
/// itself where the floor is not known (NaN); 0 where it is above the error.
double beyondFloor(double error, double floor);

/// How much worse a joint is predicted in a log than in the training logs of the model. The error
/// in the log is taken beyond its noise floor, and compared in two ways with the cross-validated
/// error in the training logs; the smaller ratio counts:
///
///     as a share of the effort   a log of slow or small motion has small efforts
///     in N m (or N, A)           a log of fast motion has large efforts and large errors
///
/// The residual at the operating points counts as error in the training logs where it is larger and
/// below the effort itself.
///
/// @param floor  noise floor of the joint's effort in the log; NaN: not known
/// @returns NaN where the model holds no cross-validated error or no efforts of its training logs
double errorOverTraining(const Model& model, int joint, const JointScore& score, double floor);

/// Root mean square error of the samples in which a joint does not move; NaN: it always moves.
double errorAtStandstill(const JointScore& score);

/// Whether friction explains the error of a joint at standstill.
/// @param friction  frictionErrorAtRest of the joint
bool isHeldByFriction(const JointScore& score, double friction);

/// Rate [Hz] of a log whose rows are too far apart for the motion of a joint: the measured effort
/// follows the predicted one, the low-pass is as high as the rate allows (highestCutoff), and more
/// than half of the joint's squared error lies above. 0 for other logs.
double rateTooLow(const ValidationResult& result, int joint);

/// Whether joints fail, and each of them because of the rate of the log (rateTooLow).
bool failsByRate(const ValidationResult& result);

/// Judges every joint by its scores. A joint without measurements, with little motion, or of which
/// the model says that it must not be used, is not judged. It fails where
///
///     its measured effort is zero in all samples
///     relative error over moving samples > max_joint_relative_error, beyond its noise floor, and
///         errorOverTraining > 1.5 (otherwise its effort is small in this log)
///     errorOverTraining > max_error_over_training, and the error is above 2 % beyond the floor: of
///         the samples that move, or of those at standstill if friction does not explain it
///
/// The likely cause follows from the line through measured over predicted effort.
std::vector<JointVerdict> judgeJoints(const Model& model,
                                      const ValidationThresholds& thresholds,
                                      const ValidationResult& result);

}  // namespace dynid
