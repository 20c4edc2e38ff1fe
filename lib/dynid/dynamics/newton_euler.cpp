#include "dynid/dynamics/newton_euler.h"

#include <Eigen/Geometry>

#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace dynid {
namespace {

void expectSize(const char* what, Eigen::Index got, Eigen::Index expected) {
  if (got != expected)
    throw std::invalid_argument(fmt::format("{} has {} entries; expected {}", what, got, expected));
}

}  // namespace

template <typename T>
void inverseDynamics(const Robot& robot,
                     const VectorX<T>& pi,
                     const VectorX<T>& q,
                     const VectorX<T>& dq,
                     const VectorX<T>& ddq,
                     NewtonEulerScratch<T>& scratch,
                     VectorX<T>& tau) {
  const Eigen::Index n = robot.numJoints();
  expectSize("pi", pi.size(), Eigen::Index{10} * robot.numBodies());
  expectSize("q", q.size(), n);
  expectSize("dq", dq.size(), n);
  expectSize("ddq", ddq.size(), n);
  if (robot.loops.empty()) {
    treeKinematics<T>(robot, q, dq, ddq, scratch.motions);
  } else {
    trackClosed(robot, q, scratch.closed);
    VectorX<T> tree_q = q, tree_dq = dq, tree_ddq = ddq;
    closedMotion<T>(robot, scratch.closed, tree_q, tree_dq, tree_ddq);
    treeKinematics<T>(robot, tree_q, tree_dq, tree_ddq, scratch.motions);
  }
  const size_t bodies = robot.bodies.size();
  scratch.force.resize(bodies);
  scratch.moment.resize(bodies);
  for (size_t k = 0; k < bodies; ++k) {
    const BodyMotion<T>& m = scratch.motions[k];
    const Eigen::Index at = 10 * k;
    const T mass = pi(at);
    const Vector3<T> h = pi.template segment<3>(at + 1);
    const auto i = pi.template segment<6>(at + 4);
    const Matrix3<T> inertia{{i(0), i(1), i(2)}, {i(1), i(3), i(4)}, {i(2), i(4), i(5)}};
    const Vector3<T> spin = inertia * m.w;
    const Vector3<T> inward = m.w.cross(h);
    scratch.force[k] = mass * m.a + m.wd.cross(h) + m.w.cross(inward);
    scratch.moment[k] = inertia * m.wd + m.w.cross(spin) + h.cross(m.a);
  }
  tau.setZero(robot.numTreeJoints());
  for (size_t k = bodies; k-- > 0;) {
    const Body& body = robot.bodies[k];
    const Vector3<T> axis = body.axis.cast<T>();
    tau(body.joint) +=
        body.multiplier * axis.dot(body.prismatic ? scratch.force[k] : scratch.moment[k]);
    if (body.parent < 0) continue;
    const BodyMotion<T>& m = scratch.motions[k];
    const Vector3<T> force = m.R_PB * scratch.force[k];
    scratch.force[body.parent] += force;
    scratch.moment[body.parent] += m.R_PB * scratch.moment[k] + m.p_PB.cross(force);
  }
  if (!robot.loops.empty()) tau = (loopProjector(robot, scratch.closed).transpose() * tau).eval();
}

template void inverseDynamics(const Robot&,
                              const VectorX<double>&,
                              const VectorX<double>&,
                              const VectorX<double>&,
                              const VectorX<double>&,
                              NewtonEulerScratch<double>&,
                              VectorX<double>&);

}  // namespace dynid
