#include "dynid/identification/equation_rows.h"

#include "dynid/formulations/hamilton.h"
#include "dynid/identification/sliding_window.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// Where the rigid body's columns of a channel come from: a row over the ten parameters of every
// body.
class RigidColumns {
 public:
  RigidColumns(const ParameterLayout& layout,
               const std::vector<int>& columns,
               const PayloadPlacement* payload) {
    if (payload != nullptr) {
      payload_map_ = inertialTransform(payload->X_BL);
      payload_first_ = Eigen::Index{10} * payload->body;
    }
    for (size_t c = 0; c < columns.size(); ++c) {
      const Column& column = layout[columns[c]];
      const auto target = static_cast<Eigen::Index>(c);
      if (column.kind == ColumnKind::kInertial)
        inertial_.push_back({target, 10 * column.owner + column.component});
      if (column.kind != ColumnKind::kPayload) continue;
      const bool carried = payload != nullptr && columns[c] >= payload->first_column &&
                           columns[c] < payload->first_column + 10;
      carried_.push_back({target, carried ? column.component : -1});
    }
  }

  template <typename Bodies, typename Row>
  void place(const Bodies& bodies, Row&& row) const {
    for (const auto& [target, from] : inertial_) row(target) = bodies(from);
    for (const auto& [target, component] : carried_)
      row(target) =
          component < 0
              ? 0.0
              : bodies.template segment<10>(payload_first_).dot(payload_map_.col(component));
  }

 private:
  struct Place {
    Eigen::Index target = 0;
    int from = 0;
  };
  std::vector<Place> inertial_, carried_;
  Eigen::Matrix<double, 10, 10> payload_map_;
  Eigen::Index payload_first_ = 0;
};

}  // namespace

EquationRows::EquationRows(std::shared_ptr<const Robot> robot, RowBuilder rows, Equations equations)
    : robot_(std::move(robot)), rows_(std::move(rows)), equations_(std::move(equations)) {}

void EquationRows::toMomentum(const ActuatorSignals& signals,
                              const PayloadPlacement* payload,
                              double step,
                              double window,
                              std::vector<Eigen::MatrixXd>& rows,
                              Eigen::MatrixXd& efforts) const {
  std::vector<size_t> chosen;
  for (size_t a = 0; a < rows.size(); ++a)
    if (equations_.momentum[a]) chosen.push_back(a);
  std::vector<RigidColumns> places;
  std::vector<Eigen::MatrixXd> momenta(rows.size());
  for (size_t a = 0; a < rows.size(); ++a) {
    places.emplace_back(layout(), columns(static_cast<int>(a)), payload);
    if (equations_.momentum[a]) momenta[a].setZero(rows[a].rows(), rows[a].cols());
  }
  for (Eigen::Index i = 0; i < signals.joint.q.rows(); ++i) {
    const Eigen::VectorXd q = signals.joint.q.row(i), dq = signals.joint.dq.row(i);
    const Eigen::MatrixXd p = robot_->T.transpose() * momentumRows(*robot_, q, dq);
    const Eigen::MatrixXd gradient = robot_->T.transpose() * lagrangianGradientRows(*robot_, q, dq);
    for (size_t a : chosen) {
      const auto actuator = static_cast<Eigen::Index>(a);
      places[a].place(p.row(actuator), momenta[a].row(i));
      places[a].place(-gradient.row(actuator), rows[a].row(i));
    }
  }
  const SlidingWindow windows(
      signals.joint.segments,
      std::max<Eigen::Index>(1, static_cast<Eigen::Index>(std::lround(0.5 * window / step))),
      step);
  for (size_t a : chosen) {
    const auto actuator = static_cast<Eigen::Index>(a);
    for (size_t c = 0; c < columns(static_cast<int>(a)).size(); ++c) {
      const Column& column = layout()[columns(static_cast<int>(a))[c]];
      if (column.kind != ColumnKind::kDriveInertia) continue;
      momenta[a].col(static_cast<Eigen::Index>(c)) = signals.dq.col(column.owner);
      rows[a].col(static_cast<Eigen::Index>(c)).setZero();
    }
    rows[a] = windows.mean(rows[a]) + windows.slope(momenta[a]);
    efforts.col(actuator) = windows.mean(efforts.col(actuator));
  }
}

void EquationRows::transform(const ActuatorSignals& signals,
                             const PayloadPlacement* payload,
                             double step,
                             double window,
                             std::vector<Eigen::MatrixXd>& rows,
                             Eigen::MatrixXd& efforts) const {
  if (equations_.kind == EquationKind::kMomentum)
    toMomentum(signals, payload, step, window, rows, efforts);
}

}  // namespace dynid
