#include "dynid/validation/model_checks.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/math/nan.h"
#include "dynid/model/model_efforts.h"
#include "dynid/spatial/pseudo_inertia.h"
#include "dynid/validation/joint_states.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

// Relative rounding error of eigenvalues of 4x4 matrices and mass matrices
constexpr double kRounding = 1e-12;

std::string whereText(const Robot& robot, const Eigen::VectorXd& q) {
  std::string text;
  for (int j = 0; j < robot.numJoints(); ++j) {
    const Joint& joint = robot.joints[j];
    text += (j == 0 ? "" : ", ") + joint.name + " " + toText(q(j), 3) +
            (joint.prismatic ? " m" : " rad");
  }
  return text;
}

}  // namespace

Check checkPhysicalConsistency(const Model& model) {
  Check check;
  check.name = "physically_consistent";
  check.outcome = Check::Outcome::kPassed;
  check.value = std::numeric_limits<double>::infinity();
  std::vector<std::string> broken;
  std::string weakest;
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    if (model.robot->bodies[k].massless && model.body(k).isZero(0.0)) continue;
    const std::string& name = model.robot->bodies[k].name;
    const double smallest = smallestPseudoEigenvalue(model.body(k));
    const double size = pseudoInertia(model.body(k)).trace();
    if (!(smallest >= -kRounding * std::abs(size)))
      broken.push_back(name + " is no possible body (smallest eigenvalue " + toText(smallest, 3) +
                       ")");
    if (!(smallest >= check.value)) {
      check.value = smallest;
      weakest = name;
    }
  }
  for (int i = 0; i < model.layout.size(); ++i)
    if (model.layout[i].nonnegative && !(model.parameters(i) >= -kRounding))
      broken.push_back(model.layout[i].name + " is " + toText(model.parameters(i), 4) + " " +
                       model.layout[i].unit + ", below zero");
  if (!broken.empty()) check.outcome = Check::Outcome::kFailed;
  check.message = broken.empty() ? "every link is a possible body; smallest eigenvalue " +
                                       toText(check.value, 3) + " (" + weakest + ")"
                                 : join(broken, "; ");
  return check;
}

Check checkMassMatrix(const Model& model, double min_eigenvalue, int samples, std::uint64_t seed) {
  const Robot& robot = *model.robot;
  const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
  const Eigen::MatrixXd reflected = jointDriveInertia(model);
  JointStates states(robot, seed);
  Check check;
  check.name = "mass_matrix_positive_definite";
  check.threshold = min_eigenvalue;
  check.value = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  Eigen::VectorXd where = Eigen::VectorXd::Zero(robot.numJoints());
  for (int i = 0; i < samples; ++i) {
    const Eigen::VectorXd q = states.next();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        massMatrix(robot, pi, q) + reflected, Eigen::EigenvaluesOnly);
    const double smallest = solver.eigenvalues()(0);
    largest = std::max(largest, solver.eigenvalues().tail<1>()(0));
    if (!(smallest >= check.value)) {
      check.value = smallest;
      where = q;
      if (std::isnan(smallest)) break;
    }
  }
  const bool positive = check.value > min_eigenvalue && check.value > kRounding * largest;
  check.outcome = positive ? Check::Outcome::kPassed : Check::Outcome::kFailed;
  check.message = "smallest eigenvalue " + toText(check.value, 3) + " over " +
                  std::to_string(samples) + " states, at " + whereText(robot, where);
  if (!positive)
    check.message +=
        "; it has to be above " + toText(std::max(min_eigenvalue, kRounding * largest), 3);
  return check;
}

namespace {

// True if `x` begins with the parameters of the model's links; the fit leaves massless bodies out.
bool beginsWithLinks(const Eigen::VectorXd& x, const Model& model) {
  Eigen::Index used = 0;
  const double rounding = 1e-9 * x.norm();
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    if (model.robot->bodies[k].massless) continue;
    if (x.size() < used + 10 || !(x.segment<10>(used) - model.body(k)).isZero(rounding))
      return false;
    used += 10;
  }
  return true;
}

// Text on a violation of the certificate of the fit with prior; empty if it holds or there is none.
std::string priorComplaint(const Model& model, double max_gap) {
  const Certificate& certificate = model.consistency.certificate;
  if (!(certificate.prior.weight > 0.0)) return {};
  const PriorCheck prior = checkPriorCertificate(certificate);
  if (!prior.valid) return "the certificate of the fit with prior does not hold: " + prior.reason;
  if (!(prior.relative_gap <= max_gap))
    return "the certified gap of the fit with prior, " + toText(prior.relative_gap, 3) +
           ", is above " + toText(max_gap, 3);
  if (!beginsWithLinks(standardFromWhitened(certificate, certificate.prior.x), model))
    return "the links' parameters are not those of the fit with prior that the certificate is "
           "about";
  return {};
}

}  // namespace

Check checkModelCertificate(const Model& model, double max_gap) {
  Check check;
  check.name = "certificate";
  check.threshold = max_gap;
  check.value = kNaN;
  const Certificate& certificate = model.consistency.certificate;
  if (!model.has_certificate || certificate.A.size() == 0) {
    check.message = "the model carries no certificate";
    return check;
  }
  check.outcome = Check::Outcome::kFailed;
  const CertificateCheck result = checkCertificate(certificate);
  check.value = result.relative_gap;
  if (!result.valid) {
    check.message = "the certificate does not hold: " + result.reason;
  } else if (!(result.relative_gap <= max_gap)) {
    check.message =
        "the certified gap " + toText(result.relative_gap, 3) + " is above " + toText(max_gap, 3);
  } else if (!beginsWithLinks(model.consistency.x, model)) {
    check.message = "the links' parameters are not those of the fit that the certificate is about";
  } else if (const std::string complaint = priorComplaint(model, max_gap); !complaint.empty()) {
    check.message = complaint;
  } else {
    check.outcome = Check::Outcome::kPassed;
    check.message = "recomputed: no consistent parameters fit better than by " +
                    toText(result.relative_gap, 3) + " of the objective";
  }
  return check;
}

}  // namespace dynid
