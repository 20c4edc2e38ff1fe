#pragma once

#include "dynid/signals/audit.h"
#include "dynid/signals/condition.h"

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// What the parts of the audit share: the looks and what conditioning made of them.
struct AuditMaterial {
  std::span<const RawSignals> looks;
  const SignalPlan& plan;
  const AuditContext& context;
  std::vector<ConditionedSignals> signals;  ///< one a look
  RowCounts counts;                         ///< over all looks
  std::vector<double> ranges;  ///< [n] smallest to largest finite logged position, rad or m
  std::vector<double> speeds;  ///< [n] 95 % quantile of the filtered speed, rad/s or m/s

  std::string nameOf(Eigen::Index joint) const;
  bool isPrismatic(Eigen::Index joint) const;
  double rangeOf(Eigen::Index joint) const { return ranges[static_cast<std::size_t>(joint)]; }
  double speedOf(Eigen::Index joint) const { return speeds[static_cast<std::size_t>(joint)]; }
  /// Whether the joint moves at all (speedOf above a twentieth of 0.02).
  bool moves(Eigen::Index joint) const { return speedOf(joint) > 1e-3; }
};

AuditMaterial prepareAudit(std::span<const RawSignals> looks,
                           const SignalPlan& plan,
                           const AuditContext& context);

/// Finite logged values of one column over all looks.
std::vector<double> columnOf(const AuditMaterial& material,
                             Eigen::MatrixXd RawSignals::*channel,
                             Eigen::Index joint);

/// `number` as a percentage text.
std::string percentText(double fraction);

// The parts; each appends what it finds.
void auditRows(const AuditMaterial& material, std::vector<Finding>& findings);
void auditClock(const AuditMaterial& material, std::vector<Finding>& findings);
void auditMotion(const AuditMaterial& material, std::vector<Finding>& findings);
void auditVelocity(const AuditMaterial& material, std::vector<Finding>& findings);
void auditAcceleration(const AuditMaterial& material, std::vector<Finding>& findings);
void auditEffort(const AuditMaterial& material, std::vector<Finding>& findings);

}  // namespace dynid
