#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// The joint effects that robot description formats can hold, per joint:
///
///     tau = damping dq + friction sgn(dq) + armature ddq
///
/// URDF and SDF have `damping` and `friction`, MJCF has all three (`frictionloss` is the friction).
struct SimpleJoints {
  Eigen::VectorXd damping;     ///< [joints] N m s/rad or N s/m, >= 0
  Eigen::VectorXd friction;    ///< [joints] N m or N, >= 0
  Eigen::VectorXd armature;    ///< [joints] kg m^2 or kg: diagonal of T^-T diag(drive inertia) T^-1
  std::vector<bool> refitted;  ///< [joints] damping and friction differ from the model's own terms
};

/// Fits the simple form to the friction of a model.
///
/// A joint whose friction is viscous, Coulomb and an offset keeps its values (the offset has no
/// place). Any other friction is fitted over the operating points at which the joint moves:
///
///     minimise sum (tau_friction - damping dq - friction s(dq) - offset)^2,  damping, friction >=
///     0
///
/// Without operating points the viscous and Coulomb terms are taken as they are, even if there are
/// others.
SimpleJoints fitSimpleJoints(const Model& model);

/// Error of a file that holds less than the model, over the operating points of the training logs.
struct ExportCost {
  Eigen::Index points = 0;   ///< 0: the model has no operating points, and the cost is not known
  double model_error = 0.0;  ///< ||measured - predicted|| / ||measured|| of the model
  double file_error = 0.0;   ///< the same of the file
  Eigen::VectorXd model_error_per_joint, file_error_per_joint;
  struct Loss {
    std::string what;    ///< the terms that are lost or changed
    double error = 0.0;  ///< error of the file if only these were lost
  };
  std::vector<Loss> losses;
};

/// Which of the simple form a file holds.
struct FileHolds {
  bool friction = true;   ///< damping and friction
  bool armature = false;  ///< drive inertia
};

/// Compares predictions with `joints` in place of the model's joint effects with measured efforts.
///
/// The prediction of the file is that of the model minus what the file lacks, so that filtering,
/// payloads and a moving base are the same in both.
ExportCost exportCost(const Model& model, const SimpleJoints& joints, const FileHolds& holds);

/// "URDF: ..." sentences for users: what the file lacks, and the error with and without it.
/// @param format  "a URDF"
std::vector<std::string> costSentences(const ExportCost& cost, const std::string& format);

}  // namespace dynid
