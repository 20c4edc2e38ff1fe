#include "dynid/signals/audit.h"

#include "dynid/core/errors.h"
#include "dynid/core/parallel.h"
#include "dynid/core/text.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/audit_parts.h"
#include "dynid/signals/row_order.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;

void checkSize(const char* field, std::size_t size, Index joints, bool optional = true) {
  if (size == static_cast<std::size_t>(joints) || (optional && size == 0)) return;
  throw std::invalid_argument("`" + std::string(field) + "` has " + std::to_string(size) +
                              " entries; expected " + std::to_string(joints));
}

void sortBySeverity(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity > b.severity;
  });
}

double usualSpeed(const AuditMaterial& material, Index joint) {
  std::vector<double> speeds;
  for (const ConditionedSignals& excerpt : material.signals)
    for (Index k = 0; k < excerpt.dq.rows(); ++k) speeds.push_back(std::abs(excerpt.dq(k, joint)));
  return speeds.empty() ? 0.0 : quantile(std::move(speeds), 0.95);
}

}  // namespace

void AuditContext::check(Index joints) const {
  checkSize("joint_names", joint_names.size(), joints);
  checkSize("prismatic", prismatic.size(), joints);
  checkSize("position_lower", static_cast<std::size_t>(position_lower.size()), joints);
  checkSize("position_upper", static_cast<std::size_t>(position_upper.size()), joints);
  checkSize("largest_turn", static_cast<std::size_t>(largest_turn.size()), joints);
  checkSize("effort_limit", static_cast<std::size_t>(effort_limit.size()), joints);
  checkSize("velocity_limit", static_cast<std::size_t>(velocity_limit.size()), joints);
  if (!(max_bad_fraction > 0.0 && max_bad_fraction <= 1.0))
    throw std::invalid_argument("`max_bad_fraction` is " + toText(max_bad_fraction) +
                                "; expected a share in (0, 1]");
}

std::string AuditMaterial::nameOf(Index joint) const {
  return context.joint_names.empty() ? "joint " + std::to_string(joint + 1)
                                     : context.joint_names[joint];
}

bool AuditMaterial::isPrismatic(Index joint) const {
  return !context.prismatic.empty() && context.prismatic[joint];
}

double AuditMaterial::effortLimitOf(Index joint) const {
  const bool known = context.effort_limit.size() > 0 && std::isfinite(context.effort_limit(joint));
  return known ? context.effort_limit(joint) : 0.0;
}

AuditMaterial prepareAudit(std::span<const RawSignals> excerpts,
                           const SignalPlan& plan,
                           const AuditContext& context) {
  AuditMaterial material{excerpts, plan, context, {}, {}, {}, {}};
  for (const RawSignals& excerpt : excerpts) {
    material.signals.push_back(condition(excerpt, plan));
    material.counts += material.signals.back().counts;
  }
  const Index joints = excerpts.front().joints();
  material.ranges.resize(joints);
  material.speeds.resize(joints);
  parallelFor(static_cast<int>(joints), context.threads, [&](int j) {
    const std::vector<double> positions = columnOf(material, &RawSignals::position, j);
    const auto extremes = std::minmax_element(positions.begin(), positions.end());
    material.ranges[j] = positions.empty() ? 0.0 : *extremes.second - *extremes.first;
    material.speeds[j] = usualSpeed(material, j);
  });
  return material;
}

std::vector<double> columnOf(const AuditMaterial& material,
                             Eigen::MatrixXd RawSignals::*channel,
                             Index joint) {
  std::vector<double> values;
  for (const RawSignals& excerpt : material.excerpts) {
    const Eigen::MatrixXd& matrix = excerpt.*channel;
    for (Index k = 0; k < matrix.rows(); ++k)
      if (std::abs(matrix(k, joint)) < 1e12) values.push_back(matrix(k, joint));
  }
  return values;
}

std::vector<Finding> auditSignals(std::span<const RawSignals> excerpts,
                                  const SignalPlan& plan,
                                  const AuditContext& context) {
  if (excerpts.empty()) throw std::invalid_argument("no window; expected at least one");
  context.check(excerpts.front().joints());
  const AuditMaterial material = prepareAudit(excerpts, plan, context);
  std::vector<Finding> findings;
  auditRows(material, findings);
  auditClock(material, findings);
  auditMotion(material, findings);
  auditVelocity(material, findings);
  auditAcceleration(material, findings);
  auditEffort(material, findings);
  sortBySeverity(findings);
  return findings;
}

std::vector<Finding> auditLog(std::span<const RawSignals> excerpts,
                              const SignalOptions& options,
                              const AuditContext& context) {
  SignalPlan plan;
  try {
    plan = planSignals(excerpts, options);
  } catch (const InputError& error) {
    // Rows can be counted without a plan.
    const SignalPlan none;
    AuditMaterial material{excerpts, none, context, {}, {}, {}, {}};
    for (const RawSignals& excerpt : excerpts) material.counts += orderRows(excerpt).counts;
    std::vector<Finding> findings;
    auditRows(material, findings);
    // If the rows are refused and hardly any is left, this is the reason why there is no clock.
    const RowCounts& counts = material.counts;
    if (!anyRefused(findings) || counts.read - counts.not_finite - counts.backward > 1)
      findings.push_back({Finding::Severity::kRefuse,
                          "no-clock",
                          -1,
                          error.what(),
                          0.0,
                          "check the time column and the length of the recording"});
    sortBySeverity(findings);
    return findings;
  }
  return auditSignals(excerpts, plan, context);
}

}  // namespace dynid
