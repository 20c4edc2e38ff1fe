#include "dynid/consistency/whitened_fit.h"

#include "dynid/math/independent_columns.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kRankTolerance = 1e-11;
constexpr double kScalarShare =
    0.3;  // contribution of a friction coordinate of one, relative to the strongest inertial column
constexpr double kShareOfTorque = 0.1;      // of ||z||, lower limit
constexpr double kScaleWithoutData = 1e-3;  // [N m, N m s/rad, kg m^2]
constexpr double kRounding = 1e-14;         // of the strongest inertial column: no data

/// pi of P = G Q G^T as a linear map of svec(Q).
Matrix10d standardMap(const Eigen::Matrix4d& G) {
  Matrix10d map;
  for (int i = 0; i < 10; ++i)
    map.col(i) = inertialFromPseudo(G * smat(Vector10<double>::Unit(i)) * G.transpose());
  return map;
}

/// The user's columns (bodies and scalars) in whitened coordinates.
Eigen::MatrixXd whitenedColumns(const Eigen::MatrixXd& M, const WhitenedFit& fit) {
  const auto bodies = std::ssize(fit.whitening);
  Eigen::MatrixXd out(M.rows(), 10 * bodies + fit.scalar_scales.size());
  for (Eigen::Index k = 0; k < bodies; ++k)
    out.middleCols<10>(10 * k).noalias() = M.middleCols<10>(10 * k) * standardMap(fit.whitening[k]);
  out.rightCols(fit.scalar_scales.size()) =
      M.middleCols(10 * bodies, fit.scalar_scales.size()) * fit.scalar_scales.asDiagonal();
  return out;
}

/// Scales friction and drive columns to the size of the inertial ones. A column without data, or
/// with rounding errors only (a joint at rest), gets a small scale, so that its undetermined value
/// stays small.
Eigen::VectorXd scalarScales(const PhysicalFitProblem& problem, const WhitenedFit& fit) {
  double strongest = 0.0;
  for (int k = 0; k < problem.bodies; ++k) {
    const Eigen::MatrixXd block = problem.R.middleCols<10>(10 * k) * standardMap(fit.whitening[k]);
    strongest = std::max(strongest, block.colwise().norm().maxCoeff());
  }
  if (!(strongest > 0.0)) strongest = std::max(problem.z.norm(), 1.0);
  // If friction dominates, the inertial columns are small. The trace bound must still allow
  // friction to explain all of z.
  const double unit = std::max(kScalarShare * strongest, kShareOfTorque * problem.z.norm());
  Eigen::VectorXd scales(problem.nonnegative);
  for (int j = 0; j < problem.nonnegative; ++j) {
    const double norm = problem.R.col(10 * problem.bodies + j).norm();
    scales(j) = norm > kRounding * strongest ? unit / norm : kScaleWithoutData;
  }
  return scales;
}

/// Upper-trapezoidal compression of [M | v] to at most columns + 1 rows; keeps the squared length
/// of v.
void shorten(Eigen::MatrixXd& M, Eigen::VectorXd& v) {
  const Eigen::Index columns = M.cols() + 1;
  if (M.rows() <= columns) return;
  Eigen::MatrixXd stacked(M.rows(), columns);
  stacked << M, v;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(stacked);
  const Eigen::MatrixXd R = qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>();
  M = R.leftCols(M.cols());
  v = R.rightCols<1>();
}

/// Rows of the problem over columns that no other row contains.
struct ProblemPart {
  std::vector<Eigen::Index> columns;  ///< of bodies and scalars
  std::vector<Eigen::Index> free;     ///< among the free columns
  std::vector<Eigen::Index> rows;
};

/// The independent parts of a problem, as those of limbs that branch off a fixed base. The columns
/// of a body belong together.
std::vector<ProblemPart> problemParts(const PhysicalFitProblem& problem) {
  const Eigen::Index size = problem.R.cols() - problem.free;
  std::vector<ProblemPart> parts;
  for (const std::vector<Eigen::Index>& set : independentVariables(problem.R, problem.bodies)) {
    ProblemPart part;
    for (const Eigen::Index column : set)
      if (column < size)
        part.columns.push_back(column);
      else
        part.free.push_back(column - size);
    part.rows = rowsWithEntries(problem.R, set);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Rows over the columns of a part, without its free columns.
struct CompressedPart {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  double rest_squared = 0.0;  ///< of the right-hand side, which no parameter changes
  Eigen::Index rank = 0;      ///< of all columns, free ones included
};

/// Elimination of the free columns and rank-revealing compression.
CompressedPart compressed(const Eigen::MatrixXd& free_columns,
                          Eigen::MatrixXd M,
                          Eigen::VectorXd v) {
  CompressedPart part;
  if (free_columns.cols() > 0 && free_columns.rows() > 0) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(kRankTolerance);
    qr.compute(free_columns);
    v.applyOnTheLeft(qr.householderQ().adjoint());
    part.rank = qr.rank();
    if (M.cols() > 0) {  // references into an empty matrix are undefined
      M.applyOnTheLeft(qr.householderQ().adjoint());
      M = M.bottomRows(M.rows() - part.rank).eval();
    } else {
      M.resize(M.rows() - part.rank, 0);
    }
    v = v.tail(v.size() - part.rank).eval();
  }
  shorten(M, v);
  Eigen::Index rank = 0;
  if (M.size() > 0 && M.cwiseAbs().maxCoeff() > 0.0) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(kRankTolerance);
    qr.compute(M);
    rank = qr.rank();
    v.applyOnTheLeft(qr.householderQ().adjoint());
    const Eigen::MatrixXd R = qr.matrixR().topRows(rank).triangularView<Eigen::Upper>();
    part.A = R * qr.colsPermutation().transpose();
  }
  part.b = v.head(rank);
  part.rest_squared = v.tail(v.size() - rank).squaredNorm();
  part.rank += rank;
  return part;
}

/// A, b, c0: the compressed rows of all independent parts.
void compress(const PhysicalFitProblem& problem, WhitenedFit& fit) {
  ConicProblem& conic = fit.conic;
  const int size = conic.size();
  const Eigen::MatrixXd M = whitenedColumns(problem.R.leftCols(size), fit) / fit.z_norm;
  const Eigen::VectorXd v = problem.z / fit.z_norm;
  const Eigen::MatrixXd free_columns = problem.R.rightCols(problem.free);
  if (problem.free > 0) {
    fit.free_columns.setThreshold(kRankTolerance);
    fit.free_columns.compute(free_columns);
  }
  std::vector<bool> used(v.size(), false);
  double rest_squared = problem.residual_squared / (fit.z_norm * fit.z_norm);
  conic.A = RowMajorMatrix::Zero(v.size(), size);
  conic.b.resize(v.size());
  Eigen::Index rows = 0;
  for (const ProblemPart& part : problemParts(problem)) {
    const CompressedPart reduced =
        compressed(free_columns(part.rows, part.free), M(part.rows, part.columns), v(part.rows));
    for (const Eigen::Index row : part.rows) used[row] = true;
    const Eigen::Index count = reduced.b.size();
    if (count > 0) conic.A.middleRows(rows, count)(Eigen::all, part.columns) = reduced.A;
    conic.b.segment(rows, count) = reduced.b;
    rows += count;
    rest_squared += reduced.rest_squared;
    fit.rank += static_cast<int>(reduced.rank);
  }
  for (Eigen::Index row = 0; row < v.size(); ++row)
    if (!used[row]) rest_squared += v(row) * v(row);
  conic.A.conservativeResize(rows, Eigen::NoChange);
  conic.b.conservativeResize(rows);
  conic.c0 = 0.5 * rest_squared;
}

/// The trace row and the user's rows, each divided by max(||row||, |limit|).
void addBounds(const PhysicalFitProblem& problem,
               const PhysicalFitOptions& options,
               WhitenedFit& fit) {
  ConicProblem& conic = fit.conic;
  const Eigen::Index rows = problem.d.size();
  conic.C.resize(rows + 1, conic.size());
  conic.d.resize(rows + 1);
  conic.C.row(0) = coneIdentity(conic.bodies, conic.scalars).transpose();
  conic.d(0) = options.tau * (4.0 * conic.bodies + conic.scalars);
  fit.row_scales.resize(rows);
  if (rows == 0) return;
  conic.C.bottomRows(rows) = whitenedColumns(problem.C, fit);
  conic.d.tail(rows) = problem.d;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double scale = std::max(conic.C.row(i + 1).norm(), std::abs(problem.d(i)));
    fit.row_scales(i) = scale > 0.0 ? scale : 1.0;
    conic.C.row(i + 1) /= fit.row_scales(i);
    conic.d(i + 1) /= fit.row_scales(i);
  }
}

}  // namespace

WhitenedFit whiten(const PhysicalFitProblem& problem,
                   const PhysicalFitOptions& options,
                   double prior_scale) {
  WhitenedFit fit;
  fit.margin = options.margin / (1.0 - options.margin);
  fit.conic.bodies = problem.bodies;
  fit.conic.scalars = problem.nonnegative;
  fit.prior_scale = prior_scale;
  for (int k = 0; k < problem.bodies; ++k) {
    const bool link = k < problem.bodies - problem.payloads;
    const double scale = link || !problem.scale_known ? prior_scale : 1.0;
    fit.whitening.emplace_back(
        ((1.0 - options.margin) * scale * pseudoInertia(problem.prior[k])).llt().matrixL());
  }
  fit.scalar_scales = scalarScales(problem, fit);

  Eigen::VectorXd shift = coneIdentity(problem.bodies, problem.nonnegative);
  shift.tail(problem.nonnegative).setZero();
  const double z_squared = problem.z.squaredNorm() + problem.residual_squared;
  fit.z_norm = std::sqrt(z_squared);
  if (!(fit.z_norm > 0.0))  // without measurements the response of the prior sets the scale
    fit.z_norm = (whitenedColumns(problem.R.leftCols(shift.size()), fit) * shift).norm();
  if (!(fit.z_norm > 0.0)) fit.z_norm = 1.0;

  compress(problem, fit);
  addBounds(problem, options, fit);
  shift *= fit.margin;
  fit.conic.b -= fit.conic.A * shift;
  const Eigen::Index rows = problem.d.size();
  fit.conic.d.tail(rows) -= fit.conic.C.bottomRows(rows) * shift;
  return fit;
}

}  // namespace dynid
