#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

#include <map>
#include <string>

namespace dynid {

/// A body as an exported file describes it.
struct ReadBackBody {
  std::string parent;                                        ///< name of the parent body
  Transform X_PB;                                            ///< at position 0 of its joint
  InertialParameters inertial = InertialParameters::Zero();  ///< about its origin
  std::string joint;                                         ///< "" if it has none
  bool prismatic = false;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
};

/// Reads the bodies of an MJCF text without includes and default classes, as writeMjcf writes it.
/// @throws InputError for XML that is broken or lacks an element
std::map<std::string, ReadBackBody> bodiesOfMjcf(const std::string& text);

/// As bodiesOfMjcf, for an SDF text with one model and poses relative to the parent link.
std::map<std::string, ReadBackBody> bodiesOfSdf(const std::string& text);

/// Largest difference of joint efforts at random states between the links of a model and the bodies
/// that were read back, relative to the largest effort.
/// @throws InputError if a body of the model is missing
double rigidDisagreement(const Model& model, const std::map<std::string, ReadBackBody>& bodies);

/// The same for a robot that was read from the exported file, with its inertias as priors.
double rigidDisagreement(const Model& model, const Robot& reloaded);

}  // namespace dynid
