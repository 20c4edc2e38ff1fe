#include "dynid/regression/tree_base_parameters.h"

#include "dynid/regression/right_angles.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;    // angular, linear
using Unknowns = Eigen::Matrix<double, 11, 1>;  // ten parameters of a body and its drive inertia
constexpr int kDrive = 10;
// number of independent derivatives of a tensor by an angle about an axis
constexpr int kHarmonics = 4;

/// Velocity of the joint's child per unit of q, in the child's frame.
Vector6 axisOf(const Body& body) {
  Vector6 phi = Vector6::Zero();
  (body.prismatic ? phi.tail<3>() : phi.head<3>()) = body.axis;
  return phi;
}

/// The spatial velocity V_P in frame J.
Vector6 inFrame(const Transform& X_PJ, const Vector6& V) {
  Vector6 result;
  result << X_PJ.R.transpose() * V.head<3>(),
      X_PJ.R.transpose() * (V.tail<3>() + V.head<3>().cross(X_PJ.p));
  return result;
}

Vector6 cross(const Vector6& a, const Vector6& b) {
  Vector6 result;
  result << a.head<3>().cross(b.head<3>()),
      a.head<3>().cross(b.tail<3>()) + a.tail<3>().cross(b.head<3>());
  return result;
}

/// v^T I(pi) w as a row that multiplies pi.
Vector10<double> inertiaRow(const Vector6& v, const Vector6& w) {
  const Eigen::Vector3d a = v.head<3>(), b = v.tail<3>(), c = w.head<3>(), d = w.tail<3>();
  Vector10<double> row;
  row << b.dot(d), d.cross(a) + b.cross(c), a(0) * c(0), a(0) * c(1) + a(1) * c(0),
      a(0) * c(2) + a(2) * c(0), a(1) * c(1), a(1) * c(2) + a(2) * c(1), a(2) * c(2);
  return row;
}

/// A subspace, represented by an orthonormal basis. Vectors have a norm of about 1; components of
/// the size of rounding errors count as zero.
template <int n>
class Span {
 public:
  using Vector = Eigen::Matrix<double, n, 1>;
  const std::vector<Vector>& basis() const { return basis_; }

  void add(const Vector& vector) {
    const double size = vector.norm();
    if (size <= kStructuralTolerance) return;
    Vector rest = vector / size;
    for (int pass = 0; pass < 2; ++pass)
      for (const Vector& b : basis_) rest -= b.dot(rest) * b;
    if (rest.norm() > kStructuralTolerance) basis_.push_back(rest.normalized());
  }

  template <typename Map>
  Span mapped(const Map& map) const {
    Span result;
    for (const Vector& b : basis_) result.add(map(b));
    return result;
  }

  /// Extends the subspace until it contains the image of every element.
  template <typename Map>
  void close(const Map& map) {
    for (size_t i = 0; i < basis_.size(); ++i) {
      const Vector next = map(basis_[i]);  // a copy: the basis grows
      add(next);
    }
  }

 private:
  std::vector<Vector> basis_;
};

/// d pi/dq of a body that moves with the twist phi, in fixed axes: h' = w x h + m v,
/// I' = [w] I - I [w] + 2 (h v) 1 - v h^T - h v^T.
Eigen::Matrix<double, 10, 10> parametersByMotion(const Vector6& phi) {
  const Eigen::Vector3d w = phi.head<3>(), v = phi.tail<3>();
  const Eigen::Matrix3d W{{0.0, -w(2), w(1)}, {w(2), 0.0, -w(0)}, {-w(1), w(0), 0.0}};
  Eigen::Matrix<double, 10, 10> D;
  for (int c = 0; c < 10; ++c) {
    const InertialParameters pi = InertialParameters::Unit(c);
    const Eigen::Vector3d h = pi.segment<3>(1);
    const Eigen::Matrix3d I = inertiaTensor(pi);
    const Eigen::Matrix3d dI = W * I - I * W + 2.0 * h.dot(v) * Eigen::Matrix3d::Identity() -
                               v * h.transpose() - h * v.transpose();
    D.col(c) << 0.0, w.cross(h) + pi(0) * v, dI(0, 0), dI(0, 1), dI(0, 2), dI(1, 1), dI(1, 2),
        dI(2, 2);
  }
  return D;
}

/// The parameters of a body in its parent's frame, with the joint at zero.
Eigen::Matrix<double, 10, 10> parametersInParent(const Transform& X_PJ) {
  Eigen::Matrix<double, 10, 10> T;
  for (int c = 0; c < 10; ++c) T.col(c) = transformed(X_PJ, InertialParameters::Unit(c));
  return T;
}

/// A change of parameters without effect: `body_part` in the body and the opposite in the parent.
struct NullVector {
  int pivot = 0;  // its last nonzero entry, which is 1; the body's other null vectors are 0 there
  Unknowns body_part = Unknowns::Zero();
};

class TreeAnalysis {
 public:
  TreeAnalysis(const Robot& robot, const ParameterLayout& layout, bool at_rest)
      : robot_(robot), layout_(layout), at_rest_(at_rest), bodies_(robot.bodies.size()) {
    for (int c = 0; c < layout.size(); ++c) {
      const Column& column = layout[c];
      if (column.kind == ColumnKind::kInertial)
        at(column.owner).columns[column.component] = c;
      else if (column.kind == ColumnKind::kDriveInertia)
        at(robot.joints[column.owner].body).columns[kDrive] = c;
      else
        throw std::invalid_argument("column \"" + column.name +
                                    "\" is neither of a body nor a drive inertia");
    }
    for (int k = 0; k < robot.numBodies(); ++k) analyse(k);
  }

  BaseParameters result() {
    BaseParameters base;
    base.columns = layout_.size();
    collect(base);
    base.rank = static_cast<int>(base.independent.size());
    std::vector<int> row(base.columns, -1);
    for (int i = 0; i < std::ssize(base.independent); ++i) row[base.independent[i]] = i;
    base.K = Eigen::MatrixXd::Zero(base.rank, std::ssize(base.dependent));
    for (Eigen::Index d = 0; d < base.K.cols(); ++d)
      for (const auto& [column, value] : dependence_.at(base.dependent[d]))
        base.K(row[column], d) = value;
    base.smallest_kept = smallest_kept_;
    base.largest_rejected = largest_rejected_;
    base.gap = largest_rejected_ > 0.0 ? smallest_kept_ / largest_rejected_
                                       : std::numeric_limits<double>::infinity();
    return base;
  }

 private:
  using Row = Vector10<double>;
  struct Node {
    std::array<int, 11> columns = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    Span<6> velocities;  // that the body can have, over all positions
    Span<6> gravity;     // directions of gravity over all positions
    Span<10> seen;       // functions of its parameters with an effect on its own or other joints
    std::vector<Unknowns> conditions;
    std::vector<NullVector> null;
    bool massless() const { return columns[0] < 0; }
  };

  Node& at(int body) { return bodies_[body]; }
  const Body& bodyAt(int k) const { return robot_.bodies[k]; }

  void analyse(int k) {
    const Body& body = bodyAt(k);
    Node& node = at(k);
    const Vector6 phi = axisOf(body);
    const Eigen::Matrix<double, 10, 10> D = parametersByMotion(phi),
                                        T = parametersInParent(body.X_PJ);
    const auto in_frame = [&](const Vector6& V) { return inFrame(body.X_PJ, V); };
    const auto turned = [&](const Vector6& V) { return cross(phi, V); };
    if (body.parent >= 0) {
      node.velocities = at(body.parent).velocities.mapped(in_frame);
      node.gravity = at(body.parent).gravity.mapped(in_frame);
      node.seen =
          at(body.parent).seen.mapped([&](const Row& row) { return Row(T.transpose() * row); });
    } else if (robot_.gravity.norm() > 0.0) {
      Vector6 up = Vector6::Zero();
      up.tail<3>() = robot_.gravity.normalized();
      node.gravity.add(in_frame(up));
    }
    node.velocities.close(turned);
    node.gravity.close(turned);
    for (Row row : node.seen.basis())
      for (int k_th = 0; k_th < kHarmonics; ++k_th) {
        row = D.transpose() * row;
        node.conditions.push_back(withDrive(row, 0.0));
      }
    const auto add = [&](const Row& row, double drive) {
      node.conditions.push_back(withDrive(row, drive));
      node.seen.add(row);
    };
    if (!at_rest_) {
      add(inertiaRow(phi, phi), 1.0);
      for (const Vector6& w : node.velocities.basis()) add(inertiaRow(phi, w), 0.0);
    }
    for (const Vector6& w : node.gravity.basis()) add(inertiaRow(phi, w), 0.0);
    node.seen.close([&](const Row& row) { return Row(D.transpose() * row); });
    node.velocities.add(phi);
    if (body.parent >= 0 && at(body.parent).massless())  // the parent cannot take up a change
      for (const Unknowns& row : at(body.parent).conditions)
        node.conditions.push_back(withDrive(T.transpose() * row.head<10>(), 0.0));
    if (!node.massless()) findNullVectors(k);
  }

  static Unknowns withDrive(const Row& row, double drive) {
    Unknowns all;
    all << row, drive;
    return all;
  }

  /// An orthonormal basis of the null space of A, one vector per row.
  Eigen::MatrixXd nullSpaceOf(const Eigen::MatrixXd& A) {
    const Eigen::Index unknowns = A.cols();
    // At rest without gravity nothing has an effect: there are no conditions, or they are zero.
    if (A.rows() == 0 || A.isZero(0.0)) return Eigen::MatrixXd::Identity(unknowns, unknowns);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
    const Eigen::VectorXd& values = svd.singularValues();
    Eigen::Index rank = 0;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      const double relative = values(i) / values(0);
      if (relative > kStructuralTolerance) {
        ++rank;
        smallest_kept_ = std::min(smallest_kept_, relative);
      } else {
        largest_rejected_ = std::max(largest_rejected_, relative);
      }
    }
    return svd.matrixV().rightCols(unknowns - rank).transpose();
  }

  /// The null space of the conditions in reduced echelon form, with the pivots at the ends of the
  /// vectors.
  void findNullVectors(int k) {
    Node& node = at(k);
    const std::vector<Unknowns>& rows = node.conditions;
    const Eigen::Index unknowns = node.columns[kDrive] >= 0 ? 11 : 10;
    Eigen::MatrixXd A(std::ssize(rows), unknowns);
    for (Eigen::Index i = 0; i < A.rows(); ++i) A.row(i) = rows[i].head(unknowns).transpose();
    Eigen::MatrixXd basis = nullSpaceOf(A);  // rows
    Eigen::Index done = 0;
    for (Eigen::Index c = unknowns - 1; c >= 0 && done < basis.rows(); --c) {
      Eigen::Index largest = 0;
      const double size = basis.col(c).tail(basis.rows() - done).cwiseAbs().maxCoeff(&largest);
      if (size <= kStructuralTolerance) {
        basis.col(c).tail(basis.rows() - done).setZero();
        continue;
      }
      basis.row(done).swap(basis.row(done + largest));
      basis.row(done) /= basis(done, c);
      for (Eigen::Index r = 0; r < basis.rows(); ++r)
        if (r != done) basis.row(r) -= basis(r, c) * basis.row(done);
      NullVector null;
      null.pivot = static_cast<int>(c);
      node.null.push_back(null);
      ++done;
    }
    for (size_t i = 0; i < node.null.size(); ++i) {
      Unknowns& in_body = node.null[i].body_part;
      in_body.head(unknowns) = basis.row(i).transpose();
      for (double& value : in_body)
        if (std::abs(value) < kRounding) value = 0.0;
    }
  }

  void collect(BaseParameters& base) {
    std::vector<bool> depends(base.columns, false);
    for (int k = 0; k < robot_.numBodies(); ++k)
      for (const NullVector& null : at(k).null) {
        const int column = at(k).columns[null.pivot];
        depends[column] = true;
        dependence_[column] = dependenceOf(k, null);
      }
    for (int c = 0; c < base.columns; ++c) {
      if (!depends[c])
        base.independent.push_back(c);
      else
        (dependence_.at(c).empty() ? base.unidentifiable : base.dependent).push_back(c);
    }
  }

  /// The column at the pivot as a combination of independent columns: the entries of the null
  /// vector at other pivots, in this body and in those closer to the root, are eliminated.
  std::map<int, double> dependenceOf(int k, const NullVector& null) {
    std::map<int, double> combination;
    InertialParameters here = null.body_part.head<10>();
    if (null.pivot < kDrive) here(null.pivot) = 0.0;
    InertialParameters moved =
        null.body_part.head<10>();  // the part that is transferred to the parent
    while (true) {
      Node& node = at(k);
      for (const NullVector& other : node.null) {
        if (other.pivot >= kDrive || here(other.pivot) == 0.0) continue;
        const double part = here(other.pivot);
        here -= part * other.body_part.head<10>();
        here(other.pivot) = 0.0;
        moved -= part * other.body_part.head<10>();
      }
      for (size_t c = 0; c < 10; ++c)
        if (const double value = here(c); std::abs(value) > kRounding)
          combination[node.columns[c]] = -value;
      here = -moved;
      do {  // a massless body cannot take up the change and passes it on
        here = transformed(bodyAt(k).X_PJ, here);
        k = bodyAt(k).parent;
      } while (k >= 0 && at(k).massless());
      if (k < 0) return combination;
      for (double& value : here)
        if (std::abs(value) < kRounding) value = 0.0;
      moved = InertialParameters::Zero();
    }
  }

  static constexpr double kRounding = 1e-13;

  const Robot& robot_;
  const ParameterLayout& layout_;
  const bool at_rest_;
  std::vector<Node> bodies_;
  std::map<int, std::map<int, double>> dependence_;  // key: dependent column
  double smallest_kept_ = std::numeric_limits<double>::infinity(), largest_rejected_ = 0.0;
};

}  // namespace

bool hasTreeStructure(const Robot& robot, const ParameterLayout& layout) {
  if (!robot.loops.empty() || robot.numBodies() != robot.numJoints()) return false;
  const bool drives =
      std::any_of(layout.columns().begin(), layout.columns().end(), [](const Column& column) {
        return column.kind == ColumnKind::kDriveInertia;
      });
  if (drives && !robot.T.isIdentity(0.0)) return false;
  return std::all_of(robot.bodies.begin(), robot.bodies.end(), [&](const Body& body) {
    return robot.treeJoint(body.joint).name == body.joint_name;
  });
}

BaseParameters treeBaseParameters(const Robot& robot,
                                  const ParameterLayout& layout,
                                  bool at_rest,
                                  double right_angle) {
  if (!hasTreeStructure(robot, layout))
    throw std::invalid_argument(
        "the robot has loops, mimic joints or coupled drives; expected a tree "
        "in which every body has a joint of its own");
  const Robot cleaned = withRightAngles(robot, right_angle);
  return TreeAnalysis(cleaned, layout, at_rest).result();
}

}  // namespace dynid
