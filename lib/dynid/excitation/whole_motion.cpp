#include "dynid/excitation/whole_motion.h"

#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/simulation/simulated_motion.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kLeadPoints = 200;

MotionPeaks worst(const MotionPeaks& a, const MotionPeaks& b) {
  return {a.lower.cwiseMin(b.lower),
          a.upper.cwiseMax(b.upper),
          a.velocity.cwiseMax(b.velocity),
          a.acceleration.cwiseMax(b.acceleration),
          a.jerk.cwiseMax(b.jerk)};
}

}  // namespace

TrajectoryFile trajectoryOf(const Robot& robot, const WholeMotion& motion, double rate_hz) {
  TrajectoryFile file;
  file.joint_names = robot.jointNames();
  for (const Joint& joint : robot.joints) file.prismatic.push_back(joint.prismatic);
  file.robot = robot.name;
  file.description = "excitation trajectory";
  file.fourier = seriesOf(motion.X, motion.period_s);
  double total = motion.periods * motion.period_s;
  if (const std::optional<Leads>& leads = motion.leads) {
    file.lead_in = leads->in;
    file.fourier->t0_s = leads->in.duration_s - leads->phase_s;
    file.lead_out = leads->out;
    file.lead_out->t0_s = leads->in.duration_s + total;
    total = file.lead_out->t0_s + leads->out.duration_s;
  }
  const auto rows = static_cast<Eigen::Index>(std::ceil(total * rate_hz * (1.0 - 1e-12))) + 1;
  file.time = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1)) / rate_hz;
  for (auto* m : {&file.position, &file.velocity, &file.acceleration})
    m->resize(rows, robot.numJoints());
  const SimulatedMotion simulated = motionOf(file);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const JointMotion at = simulated.at(std::min(file.time(i), total));
    file.position.row(i) = at.q;
    file.velocity.row(i) = at.dq;
    file.acceleration.row(i) = at.ddq;
  }
  // Set to exactly zero, because some controllers refuse a last point with a velocity that is only
  // close to zero.
  for (auto* m : {&file.velocity, &file.acceleration})
    for (const Eigen::Index end : {Eigen::Index{0}, rows - 1}) m->row(end).setZero();
  return file;
}

MotionPeaks peaksOf(const WholeMotion& motion) {
  MotionPeaks peaks = seriesPeaks(motion.X, motion.period_s);
  if (motion.leads)
    for (const QuinticPiece* piece : {&motion.leads->in, &motion.leads->out})
      peaks = worst(peaks, quinticPeaks(*piece));
  return peaks;
}

Eigen::VectorXd effortsOf(const Robot& robot, const WholeMotion& motion) {
  Eigen::VectorXd efforts = effortPeaks(robot, denseSamples(motion.X, motion.period_s));
  if (motion.leads)
    for (const QuinticPiece* piece : {&motion.leads->in, &motion.leads->out})
      efforts = efforts.cwiseMax(effortPeaks(robot, samplesOf(*piece, kLeadPoints)));
  return efforts;
}

Approach approachOf(const Space& space,
                    const WholeMotion& motion,
                    const TrajectoryFile& trajectory) {
  Approach closest;
  const auto take = [&](Approach other, double t0_s) {
    other.time_s += t0_s;
    const bool clear = closest.clear && other.clear;
    if (other.gap < closest.gap) closest = other;
    closest.clear = clear;
  };
  const double begin = trajectory.lead_in ? trajectory.lead_in->duration_s : 0.0;
  if (trajectory.lead_in) take(closestApproach(space, boundedMotion(*trajectory.lead_in)), 0.0);
  Approach periodic = closestApproach(space, boundedMotion(motion.X, motion.period_s));
  while (periodic.time_s + trajectory.fourier->t0_s < begin) periodic.time_s += motion.period_s;
  take(periodic, trajectory.fourier->t0_s);
  if (trajectory.lead_out)
    take(closestApproach(space, boundedMotion(*trajectory.lead_out)), trajectory.lead_out->t0_s);
  return closest;
}

}  // namespace dynid
