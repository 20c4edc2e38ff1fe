#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// The joint effects that robot description formats can hold, per joint:
///
///     tau = damping dq + friction sgn(dq) + armature ddq + stiffness (q - spring_reference)
///
/// URDF has `damping` and `friction`, SDF has springs too, and MJCF has all (`frictionloss` is the
/// friction, `springref` the reference).
struct SimpleJoints {
  Eigen::VectorXd damping;   ///< [joints] N m s/rad or N s/m, >= 0
  Eigen::VectorXd friction;  ///< [joints] N m or N, >= 0
  Eigen::VectorXd armature;  ///< [joints] kg m^2 or kg: diagonal of T^-T diag(drive inertia) T^-1
  /// [joints] N m/rad or N/m, >= 0: springs at joints (position effect `spring`); others are
  /// dropped
  Eigen::VectorXd stiffness;
  /// [joints] rad or m: where the spring and the offset of the joint cancel; 0 without a spring
  Eigen::VectorXd spring_reference;
  std::vector<bool> refitted;  ///< [joints] damping and friction differ from the model's terms
};

/// Fits the simple form to the friction of a model.
///
/// A joint whose friction is viscous, Coulomb and an offset keeps its values (the offset is
/// dropped, except as the reference of a spring). Any other friction is fitted over the operating
/// points at which the joint moves, with damping >= 0 and friction >= 0:
///
///     minimise sum (tau_friction - damping dq - friction s(dq) - offset)^2
///
/// Without operating points, or with too few in motion, the viscous, Coulomb and presliding terms
/// are used unchanged (Coulomb friction with smoothed signs too), even if the model has other
/// terms.
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

/// The terms of the simple form that a file format can hold.
struct FileHolds {
  bool friction = true;   ///< damping and friction
  bool armature = false;  ///< drive inertia
  bool springs = false;   ///< stiffness and reference
};

/// Compares measured efforts with predictions that use `joints` in place of the model's joint
/// effects.
///
/// The prediction of the file is the model's prediction minus the terms that the file lacks, so
/// that filtering, payloads and a moving base are the same in both.
ExportCost exportCost(const Model& model, const SimpleJoints& joints, const FileHolds& holds);

/// Sentences for users ("URDF: ..."): the delay of the efforts, which no file has, the terms that
/// the file lacks, and the error with and without them.
std::vector<std::string> costSentences(const Model& model,
                                       const ExportCost& cost,
                                       const std::string& format);

}  // namespace dynid
