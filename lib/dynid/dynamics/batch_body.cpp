#include "dynid/dynamics/batch_body.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// Tolerance: products of exact quarter turns have a few units of rounding error
constexpr double kRounding = 1e-15;

void copy(const Eigen::Vector3d& from, double* to) { std::copy(from.data(), from.data() + 3, to); }

Eigen::Matrix3d rightAngles(BatchTurn turn) {
  Eigen::Matrix3d A;  // columns: the child's x, y, z in the parent; see RightTurn in regressor.inc
  switch (turn) {
    case BatchTurn::kMinusZ:
      A << 1, 0, 0, 0, -1, 0, 0, 0, -1;
      break;
    case BatchTurn::kAlongX:
      A << 0, 0, 1, 1, 0, 0, 0, 1, 0;
      break;
    case BatchTurn::kMinusX:
      A << 0, 0, -1, 0, 1, 0, 1, 0, 0;
      break;
    case BatchTurn::kAlongY:
      A << 0, 1, 0, 0, 0, 1, 1, 0, 0;
      break;
    case BatchTurn::kMinusY:
      A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
      break;
    default:
      A.setIdentity();
  }
  return A;
}

// If R consists of right angles, sets turn and quarter turns with R = A Rz(quarter turns).
void placeByRightAngles(const Eigen::Matrix3d& R, BatchBody& batch) {
  for (const BatchTurn turn : {BatchTurn::kAlongZ,
                               BatchTurn::kMinusZ,
                               BatchTurn::kAlongX,
                               BatchTurn::kMinusX,
                               BatchTurn::kAlongY,
                               BatchTurn::kMinusY}) {
    const Eigen::Matrix3d about_z = rightAngles(turn).transpose() * R;
    if (std::abs(about_z(2, 2) - 1.0) > kRounding) continue;
    constexpr int kCosine[4] = {1, 0, -1, 0}, kSine[4] = {0, 1, 0, -1};
    for (int quarters = 0; quarters < 4; ++quarters) {
      Eigen::Matrix3d exact = Eigen::Matrix3d::Identity();
      exact.topLeftCorner<2, 2>() << kCosine[quarters], -kSine[quarters], kSine[quarters],
          kCosine[quarters];
      if ((about_z - exact).cwiseAbs().maxCoeff() > kRounding) continue;
      batch.turn = turn;
      batch.quarter_turns = quarters;
    }
  }
}

}  // namespace

Eigen::Matrix3d BatchFrame::fromBody() const {
  Eigen::Matrix3d Q = Eigen::Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) Q(i, (first + i) % 3) = 1.0;
  return Q;
}

std::array<int, 10> BatchFrame::components() const {
  constexpr int kInertia[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
  std::array<int, 10> places{};
  for (int i = 0; i < 3; ++i) {
    places[1 + i] = 1 + (first + i) % 3;
    for (int j = i; j < 3; ++j) places[kInertia[i][j]] = kInertia[(first + i) % 3][(first + j) % 3];
  }
  return places;
}

BatchFrame batchFrame(const Body& body) {
  BatchFrame frame;
  if (body.prismatic) return frame;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(body.axis(i)) != 1.0) continue;
    frame.first = (i + 1) % 3;
    frame.about_z = true;
    frame.backwards = body.axis(i) < 0.0;
  }
  return frame;
}

BatchBody batchBody(const Body& body, const BatchFrame& frame, const BatchFrame& parent) {
  const Eigen::Matrix3d of_parent = parent.fromBody(), of_frame = frame.fromBody();
  const Eigen::Matrix3d R = of_parent * body.X_PJ.R * of_frame.transpose();
  const Eigen::Vector3d axis = of_frame * body.axis, p = of_parent * body.X_PJ.p;
  BatchBody batch{};
  batch.joint = body.joint;
  batch.multiplier = frame.backwards ? -body.multiplier : body.multiplier;
  batch.offset = frame.backwards ? -body.offset : body.offset;
  copy(frame.about_z ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : axis, batch.axis);
  copy(p, batch.translation);
  copy(R * axis, batch.slide);
  for (int i = 0; i < 3; ++i)
    if (body.prismatic || p(i) != 0.0) batch.nonzero |= 1 << i;
  const Eigen::Vector3d u(batch.axis[0], batch.axis[1], batch.axis[2]);
  const Eigen::Matrix3d along = u * u.transpose();
  Eigen::Matrix3d skew;
  skew << 0.0, -u.z(), u.y(), u.z(), 0.0, -u.x(), -u.y(), u.x(), 0.0;
  // Rodrigues' formula: R(q) = u u^T + cos q (1 - u u^T) + sin q [u]x
  const Eigen::Matrix3d parts[3] = {body.prismatic ? R : Eigen::Matrix3d(R * along),
                                    R * (Eigen::Matrix3d::Identity() - along),
                                    R * skew};
  for (int i = 0; i < 3; ++i)
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(batch.rotation[i]) = parts[i];
  batch.turn = body.prismatic  ? BatchTurn::kPrismatic
               : frame.about_z ? BatchTurn::kAnyPlacement
                               : BatchTurn::kAnyAxis;
  if (frame.about_z) placeByRightAngles(R, batch);
  return batch;
}

}  // namespace dynid
