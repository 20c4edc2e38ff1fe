#pragma once

#include "dynid/core/files.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <array>
#include <filesystem>
#include <mujoco/mujoco.h>
#include <regex>
#include <string>
#include <unistd.h>

namespace dynid::testing {

/// An MJCF text or file, loaded by MuJoCo.
class MujocoDynamics {
 public:
  explicit MujocoDynamics(const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("dynid_mujoco_" + std::to_string(getpid()) + ".xml");
    writeTextFile(path, known(text));
    load(path.string());
    std::filesystem::remove(path);
  }
  explicit MujocoDynamics(const std::filesystem::path& path) { load(path.string()); }
  ~MujocoDynamics() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }
  MujocoDynamics(const MujocoDynamics&) = delete;
  MujocoDynamics& operator=(const MujocoDynamics&) = delete;

  /// The text without attributes that this version of MuJoCo does not know.
  static std::string known(const std::string& text) {
    if (mjVERSION_HEADER >= 237) return text;
    return std::regex_replace(text, std::regex("\\s+actuatorfrc[a-z]*=\"[^\"]*\""), "");
  }

  bool loaded() const { return model_ != nullptr; }
  std::string error() const { return error_.data(); }
  int equalities() const { return model_->neq; }
  const mjModel& model() const { return *model_; }

  double frictionLoss(const std::string& joint) const {
    return model_->dof_frictionloss[model_->jnt_dofadr[jointId(joint)]];
  }

  /// M(q) ddq + c(q, dq) of the bodies only. A mimic joint moves with the joint that it mimics, to
  /// which its torque is added.
  Eigen::VectorXd rigidTorque(const Robot& robot,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq) const {
    setMotion(robot, q, dq, ddq);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    Eigen::VectorXd tau(model_->nv);
    mj_rne(model_, data_, 1, tau.data());
    return collected(robot, tau);
  }

  /// The same plus armature, damping and springs, without frictionloss and constraints.
  Eigen::VectorXd passiveTorque(const Robot& robot,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& ddq) const {
    Eigen::VectorXd tau = rigidTorque(robot, q, dq, ddq);
    for (int j = 0; j < robot.numJoints(); ++j) {
      const int joint = jointId(robot.joints[j].name);
      const int at = model_->jnt_dofadr[joint];
      const double rest = model_->qpos_spring[model_->jnt_qposadr[joint]];
      tau(j) += model_->dof_armature[at] * ddq(j) + model_->dof_damping[at] * dq(j) +
                model_->jnt_stiffness[joint] * (q(j) - rest);
    }
    return tau;
  }

 private:
  void load(const std::string& path) {
    model_ = mj_loadXML(path.c_str(), nullptr, error_.data(), static_cast<int>(error_.size()));
    if (model_ != nullptr) data_ = mj_makeData(model_);
  }

  int jointId(const std::string& joint) const {
    return mj_name2id(model_, mjOBJ_JOINT, joint.c_str());
  }

  void setMotion(const Robot& robot,
                 const Eigen::VectorXd& q,
                 const Eigen::VectorXd& dq,
                 const Eigen::VectorXd& ddq) const {
    mj_resetData(model_, data_);
    for (const Body& body : robot.bodies) {
      if (body.name == robot.root_link) continue;
      const int joint = jointId(body.joint_name);
      const int at = model_->jnt_dofadr[joint];
      data_->qpos[model_->jnt_qposadr[joint]] = body.multiplier * q(body.joint) + body.offset;
      data_->qvel[at] = body.multiplier * dq(body.joint);
      data_->qacc[at] = body.multiplier * ddq(body.joint);
    }
  }

  Eigen::VectorXd collected(const Robot& robot, const Eigen::VectorXd& tau) const {
    Eigen::VectorXd joints = Eigen::VectorXd::Zero(robot.numJoints());
    for (const Body& body : robot.bodies)
      if (body.name != robot.root_link)
        joints(body.joint) += body.multiplier * tau(model_->jnt_dofadr[jointId(body.joint_name)]);
    return joints;
  }

  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::array<char, 1000> error_{};
};

}  // namespace dynid::testing
