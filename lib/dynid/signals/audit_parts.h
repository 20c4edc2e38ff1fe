#pragma once

#include "dynid/signals/audit.h"
#include "dynid/signals/condition.h"

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// Input of all parts of the audit: the excerpts (`excerpts`) and the conditioned signals.
struct AuditMaterial {
  std::span<const RawSignals> excerpts;
  const SignalPlan& plan;
  const AuditContext& context;
  std::vector<ConditionedSignals> signals;  ///< one per excerpt
  RowCounts counts;                         ///< over all excerpts
  /// [n] Range of the finite recorded positions, rad or m.
  std::vector<double> ranges;
  std::vector<double> speeds;  ///< [n] 95 % quantile of the filtered speed, rad/s or m/s

  std::string nameOf(Eigen::Index joint) const;
  bool isPrismatic(Eigen::Index joint) const;
  const char* unitOf(Eigen::Index joint) const { return isPrismatic(joint) ? " m" : " rad"; }
  double effortLimitOf(Eigen::Index joint) const;  ///< N m or N; 0: not known
  double rangeOf(Eigen::Index joint) const { return ranges[joint]; }
  double speedOf(Eigen::Index joint) const { return speeds[joint]; }
  /// Whether the joint moves: its speed (speedOf) exceeds 1e-3 rad/s or m/s.
  bool moves(Eigen::Index joint) const { return speedOf(joint) > 1e-3; }
};

AuditMaterial prepareAudit(std::span<const RawSignals> excerpts,
                           const SignalPlan& plan,
                           const AuditContext& context);

/// Finite recorded values of one column over all excerpts.
std::vector<double> columnOf(const AuditMaterial& material,
                             Eigen::MatrixXd RawSignals::*channel,
                             Eigen::Index joint);

// The parts of the audit; each appends its findings.
void auditRows(const AuditMaterial& material, std::vector<Finding>& findings);
void auditClock(const AuditMaterial& material, std::vector<Finding>& findings);
void auditMotion(const AuditMaterial& material, std::vector<Finding>& findings);
void auditJumps(const AuditMaterial& material, std::vector<Finding>& findings);
void auditVelocity(const AuditMaterial& material, std::vector<Finding>& findings);
void auditAcceleration(const AuditMaterial& material, std::vector<Finding>& findings);
void auditEffort(const AuditMaterial& material, std::vector<Finding>& findings);

}  // namespace dynid
