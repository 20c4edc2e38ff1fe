#include "dynid/signals/interruptions.h"

#include "dynid/core/text.h"
#include "dynid/math/quantile.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

constexpr double kSpeedStep = 0.01;            // [s] over which speeds are averaged
constexpr double kLargestStep = 0.05;          // [s]
constexpr double kGap = 0.045, kReach = 0.15;  // [s] around an instant
constexpr double kMinSlip = 0.1;
constexpr double kMinSigmas = 10.0;
constexpr double kMinExplained = 0.8;
constexpr double kLongest = 0.3;     // [s]
constexpr double kJoinWithin = 0.1;  // [s]
constexpr double kMinLost = 2e-3;    // [s] per instant
constexpr double kMostSlip = 1.2;
// Relative to the 95 % quantile of the deviation along the motion
constexpr double kAboveUsual = 3.0;
// Of the expected speed, root mean square over a side: a rest has at most 0.03 in simulated logs,
// the side of a reversal 0.28 and more.
constexpr double kRestingSide = 0.1;
constexpr double kSidesFit = 0.3;       // relative error of the polynomial at its own samples
constexpr double kLargestShare = 0.02;  // of the moving instants
constexpr Index kFewestJoints = 2;
// Where one joint stops (a stuck encoder), the others slip less than this share of it; they are
// asked if the slip would be more than so many typical deviations of theirs.
constexpr double kSlipOfOthers = 0.5, kSigmasOfOthers = 6.0;
constexpr double kMinExplainedOfTwo = 0.98;  // where only two joints move
constexpr Index kFewestRepeated = 3;         // rows
// The polynomial that replaces positions in an interruption: [s] of motion on each side to which it
// is fitted, [s] around the event that are excluded, [s] over which it is blended into the
// positions.
constexpr double kBridgeReach = 0.2, kBridgeMargin = 0.015, kBridgeTaper = 0.08;
constexpr Index kBridgeDegree = 7;

/// The cubic through the speeds on both sides of an instant, as linear maps of these speeds.
struct Sides {
  std::vector<Index> places;  // relative to the instant
  double reach = 0.0;
  MatrixXd coefficients;  // map to its coefficients in powers of place / reach
  MatrixXd residual;      // map to its residuals at these speeds

  // Weights of the speeds in its value at a place.
  RowVectorXd weightsAt(Index place) const {
    const double x = static_cast<double>(place) / reach;
    return Eigen::RowVector4d(1.0, x, x * x, x * x * x) * coefficients;
  }
};

// Least-squares fit of a cubic to the speeds at distances from `gap` to `reach` steps on both
// sides.
Sides sidesOf(Index gap, Index reach) {
  Sides sides;
  for (Index i = -reach; i <= reach; ++i)
    if (std::abs(i) >= gap) sides.places.push_back(i);
  MatrixXd powers(std::ssize(sides.places), 4);
  for (Index k = 0; k < powers.rows(); ++k)
    for (Index p = 0; p < 4; ++p)
      powers(k, p) = std::pow(static_cast<double>(sides.places[k]) / static_cast<double>(reach),
                              static_cast<double>(p));
  sides.reach = static_cast<double>(reach);
  sides.coefficients = powers.completeOrthogonalDecomposition().pseudoInverse();
  sides.residual = MatrixXd::Identity(powers.rows(), powers.rows()) - powers * sides.coefficients;
  return sides;
}

/// Speeds at steps of about 10 ms, and the values expected from the speeds around each of them.
struct Speeds {
  double step = 0.0;
  Index gap = 0, reach = 0;  // in steps
  Sides sides;
  MatrixXd all;               // [M + 2 reach, n]
  VectorXd time;              // [M] s
  MatrixXd actual, expected;  // [M,n]
};

// Average speeds over steps of about 10 ms, and at every step the value of the cubic fitted to the
// speeds around it.
Speeds speedsOf(const PositionPiece& piece, double dt) {
  const Index stride = std::max<Index>(1, std::lround(kSpeedStep / dt));
  Speeds speeds;
  speeds.step = static_cast<double>(stride) * dt;
  speeds.reach = std::max<Index>(3, std::lround(kReach / speeds.step));
  speeds.gap = std::clamp<Index>(static_cast<Index>(std::ceil(kGap / speeds.step - 1e-9)),
                                 1,
                                 std::max<Index>(1, speeds.reach - 2));
  const Index all = (piece.q.rows() - 1) / stride, count = all - 2 * speeds.reach;
  if (count <= 0) return speeds;
  speeds.all.resize(all, piece.q.cols());
  for (Index k = 0; k < all; ++k)
    speeds.all.row(k) = (piece.q.row((k + 1) * stride) - piece.q.row(k * stride)) / speeds.step;
  speeds.sides = sidesOf(speeds.gap, speeds.reach);
  speeds.time = VectorXd::LinSpaced(count, 0.0, static_cast<double>(count - 1)) * speeds.step;
  speeds.time.array() += piece.start + (static_cast<double>(speeds.reach) + 0.5) * speeds.step;
  speeds.actual = speeds.all.middleRows(speeds.reach, count);
  speeds.expected = MatrixXd::Zero(count, speeds.all.cols());
  const RowVectorXd weights = speeds.sides.weightsAt(0);
  for (Index k = 0; k < weights.size(); ++k)
    speeds.expected +=
        weights(k) * speeds.all.middleRows(speeds.reach + speeds.sides.places[k], count);
  return speeds;
}

/// Typical magnitudes in the log.
struct Scales {
  VectorXd speed;             // [n] root mean square
  VectorXd surprise;          // [n] size of actual - expected while the robot moves
  std::vector<Index> joints;  // joints that move
  double along = 0.0;         // 95 % quantile of actual - expected along the motion, in these units
  Index moving_instants = 0;

  bool ofTwo() const { return joints.size() == 2; }

  bool moves(const Eigen::Ref<const RowVectorXd>& expected) const {
    double size = 0.0;
    for (const Index j : joints) size += std::pow(expected(j) / speed(j), 2.0);
    return size > 0.1 * static_cast<double>(joints.size());
  }
};

// Typical speed of every joint, and typical deviation from the expected speed while the robot
// moves: 1.4826 times the median absolute deviation, which is the standard deviation for normal
// noise.
Scales scalesOf(const std::vector<Speeds>& pieces, Index joints) {
  constexpr double kStandstill = 1e-3;  // rad/s or m/s
  Scales scales;
  scales.speed = scales.surprise = VectorXd::Zero(joints);
  double instants = 0.0;
  for (const Speeds& piece : pieces) {
    scales.speed += piece.actual.colwise().squaredNorm().transpose();
    instants += static_cast<double>(piece.actual.rows());
  }
  scales.speed = (scales.speed / std::max(instants, 1.0)).cwiseSqrt();
  for (Index j = 0; j < joints; ++j)
    if (scales.speed(j) > kStandstill) scales.joints.push_back(j);
  std::vector<std::vector<double>> surprises(joints);
  for (const Speeds& piece : pieces)
    for (Index k = 0; k < piece.actual.rows(); ++k) {
      if (!scales.moves(piece.expected.row(k))) continue;
      ++scales.moving_instants;
      for (Index j = 0; j < joints; ++j)
        surprises[j].push_back(std::abs(piece.actual(k, j) - piece.expected(k, j)));
    }
  for (Index j = 0; j < joints; ++j)
    scales.surprise(j) = std::max(1.4826 * (surprises[j].empty() ? 0.0 : median(surprises[j])),
                                  1e-9 * scales.speed(j) + 1e-300);
  return scales;
}

/// Deviation of the speeds at one instant from the expected ones, in typical magnitudes.
struct Deviation {
  double slip = 0.0;       // D
  double along = 0.0;      // magnitude of the part along the expected speeds
  double explained = 0.0;  // share of that part in the squared deviation
  bool of_one = false;     // one joint slips, and others that move do not
};

Deviation deviationOf(const Eigen::Ref<const RowVectorXd>& actual,
                      const Eigen::Ref<const RowVectorXd>& expected,
                      const Scales& scales) {
  double product = 0.0, norm = 0.0, square = 0.0;
  double product_of_most = 0.0, norm_of_most = 0.0, most = 0.0;
  for (const Index j : scales.joints) {
    const double e = expected(j) / scales.surprise(j);
    const double z = (actual(j) - expected(j)) / scales.surprise(j);
    product -= z * e;
    norm += e * e;
    square += z * z;
    if (std::abs(z) <= most) continue;
    most = std::abs(z);
    product_of_most = -z * e;
    norm_of_most = e * e;
  }
  const double slip = product / norm, norm_of_others = norm - norm_of_most;
  const bool others_tell = std::abs(slip) * std::sqrt(norm_of_others) > kSigmasOfOthers;
  return {slip,
          std::abs(product) / std::sqrt(norm),
          product * product / (norm * std::max(square, 1e-300)),
          others_tell && (product - product_of_most) / (norm_of_others * slip) < kSlipOfOthers};
}

Deviation deviationAt(const Speeds& speeds, Index k, const Scales& scales) {
  return deviationOf(speeds.actual.row(k), speeds.expected.row(k), scales);
}

/// The slip D of one instant; 0 if the joints do not slip together.
double slipAt(const Speeds& speeds, Index k, const Scales& scales) {
  if (!scales.moves(speeds.expected.row(k))) return 0.0;
  const Deviation deviation = deviationAt(speeds, k, scales);
  const bool found = !deviation.of_one &&
                     deviation.explained > (scales.ofTwo() ? kMinExplainedOfTwo : kMinExplained) &&
                     std::abs(deviation.slip) > kMinSlip &&
                     std::abs(deviation.slip) * speeds.step > kMinLost &&
                     std::abs(deviation.slip) < kMostSlip &&
                     deviation.along > std::max(kMinSigmas, kAboveUsual * scales.along);
  return found ? deviation.slip : 0.0;
}

/// Whether the joints move both before and after an instant: not so at the start or stop of a
/// motion.
bool movesOnBothSides(const Speeds& speeds, Index k, const Scales& scales) {
  double before = 0.0, after = 0.0, expected = 0.0, count = 0.0;
  for (const Index place : speeds.sides.places) {
    if (place < 0) count += 1.0;
    double& side = place < 0 ? before : after;
    for (const Index j : scales.joints)
      side += std::pow(speeds.all(k + speeds.reach + place, j) / scales.speed(j), 2.0);
  }
  for (const Index j : scales.joints)
    expected += std::pow(speeds.expected(k, j) / scales.speed(j), 2.0);
  return std::min(before, after) > kRestingSide * kRestingSide * count * expected;
}

/// Whether the robot rests soon after or before an event, beyond the speeds that the polynomial
/// passes through: a robot that brakes to rest within them (emergency stop) is not delayed.
bool restsBeside(const Speeds& speeds, Index first, Index last, const Scales& scales) {
  const auto mean_square = [&](Index from, Index steps) {
    double sum = 0.0;
    for (const Index j : scales.joints)
      sum += speeds.all.col(j).segment(from, steps).squaredNorm() / std::pow(scales.speed(j), 2.0);
    return sum / static_cast<double>(steps);
  };
  const Index steps = std::max<Index>(2, speeds.reach / 2);
  const Index before = first - steps, after = last + 2 * speeds.reach + 1;  // in rows of `all`
  double expected = 0.0;
  for (const Index j : scales.joints)
    expected += std::pow(speeds.expected(first, j) / scales.speed(j), 2.0);
  const double resting = kRestingSide * kRestingSide * expected;
  return (before >= 0 && mean_square(before, steps) < resting) ||
         (after + steps <= speeds.all.rows() && mean_square(after, steps) < resting);
}

/// Whether the motion around an instant is smooth except at the instant itself. At the start or
/// stop of a motion the polynomial does not fit its own samples.
bool isSmoothAround(const Speeds& speeds, Index k, const Scales& scales) {
  const Index count = std::ssize(speeds.sides.places);
  double sides = 0.0, centre = 0.0;
  VectorXd v(count);
  for (const Index j : scales.joints) {
    for (Index i = 0; i < count; ++i)
      v(i) = speeds.all(k + speeds.reach + speeds.sides.places[i], j);
    sides += (speeds.sides.residual * v).squaredNorm() / std::pow(scales.surprise(j), 2.0);
    centre += std::pow((speeds.actual(k, j) - speeds.expected(k, j)) / scales.surprise(j), 2.0);
  }
  return sides / static_cast<double>(count) < kSidesFit * kSidesFit * centre;
}

/// The largest D from `first` to `last`, against the cubic through the speeds outside of them. The
/// cubics around single instants of an event longer than the gap between their sides pass through
/// the event, and the motion beside it seems faster than they.
double slipOver(const Speeds& speeds, Index first, Index last, const Scales& scales) {
  const Index half = (last - first + 1) / 2, centre = first + half;
  const Sides sides = sidesOf(speeds.gap + half, speeds.reach + half);
  const Index offset = centre + speeds.reach;
  if (offset + sides.places.front() < 0 || offset + sides.places.back() >= speeds.all.rows())
    return slipAt(speeds, first, scales);
  std::vector<Index> rows;
  for (const Index place : sides.places) rows.push_back(offset + place);
  const MatrixXd around = speeds.all(rows, Eigen::all);
  double slip = 0.0;
  for (Index k = first; k <= last; ++k) {
    const RowVectorXd expected = sides.weightsAt(k - centre) * around;
    const double next = deviationOf(speeds.actual.row(k), expected, scales).slip;
    if (std::abs(next) > std::abs(slip)) slip = next;
  }
  return slip;
}

// Groups flagged instants that are close to each other. A group is an interruption if it is short
// and the motion around one of its instants is smooth.
void findIn(const Speeds& speeds,
            const Scales& scales,
            std::vector<Interruption>& found,
            Index& flagged) {
  for (Index k = 0; k < speeds.time.size(); ++k) {
    if (slipAt(speeds, k, scales) == 0.0) continue;
    const Index first = k;
    Index last = k, count = 1;
    const auto goes_on = [&](Index at) {
      return movesOnBothSides(speeds, at, scales) && isSmoothAround(speeds, at, scales);
    };
    bool smooth = goes_on(k);
    for (++k; k < speeds.time.size() && speeds.time(k) - speeds.time(last) < kJoinWithin; ++k) {
      if (slipAt(speeds, k, scales) == 0.0) continue;
      last = k;
      ++count;
      smooth = smooth || goes_on(k);
    }
    k = last;
    if (speeds.time(last) - speeds.time(first) > kLongest || !smooth) continue;
    if (restsBeside(speeds, first, last, scales)) continue;
    const double slip = slipOver(speeds, first, last, scales);
    if (scales.ofTwo() && (slip < 0.0 || slip > 1.0)) continue;
    flagged += count;
    found.push_back({speeds.time(first) - speeds.step, speeds.time(last) + speeds.step, slip});
  }
}

/// Whether the positions hardly change in several rows of an event and one row makes up for all of
/// them: the log pauses, not the robot. The spline through unequal time stamps leaves small steps.
bool isRepeated(const PositionPiece& piece, double dt, const Interruption& event) {
  const Index margin = 2 + std::lround(kSpeedStep / dt);  // the jump itself is not flagged
  const Index begin = std::lround((event.begin - piece.start) / dt) - margin;
  const Index rows = std::lround((event.end - event.begin) / dt) + 2 * margin;
  if (begin < 0 || begin + rows >= piece.q.rows()) return false;
  const MatrixXd Q = piece.q.middleRows(begin, rows + 1);
  const VectorXd steps = (Q.bottomRows(rows) - Q.topRows(rows)).rowwise().norm();
  const double usual = (Q.row(rows) - Q.row(0)).norm() / static_cast<double>(rows);
  const Index resting = (steps.array() < 0.1 * usual).count();
  return resting >= kFewestRepeated &&
         steps.maxCoeff() > 0.7 * static_cast<double>(resting + 1) * usual;
}

}  // namespace

std::string describe(const Interruption& event, double origin) {
  const std::string when =
      "from " + toText(event.begin - origin, 5) + " to " + toText(event.end - origin, 5) + " s ";
  const std::string what =
      event.repeated
          ? "the positions of all joints do not change and then jump to where the motion goes on"
          : std::string("all joints ") + (event.slip > 0.0 ? "slow down" : "speed up") +
                " together by up to " + toText(std::round(100.0 * std::abs(event.slip))) +
                " % and go on as before";
  return when + what + ": left out of the fit and of the choice of the cut-off";
}

std::vector<Interruption> findInterruptions(std::span<const PositionPiece> pieces, double dt) {
  if (pieces.empty() || !(dt > 0.0) || dt > kLargestStep) return {};
  std::vector<Speeds> speeds;
  for (const PositionPiece& piece : pieces) speeds.push_back(speedsOf(piece, dt));
  std::erase_if(speeds, [](const Speeds& piece) { return piece.time.size() == 0; });
  Scales scales = scalesOf(speeds, pieces.front().q.cols());
  if (std::ssize(scales.joints) < kFewestJoints) return {};
  std::vector<double> along;
  for (const Speeds& piece : speeds)
    for (Index k = 0; k < piece.time.size(); ++k)
      if (scales.moves(piece.expected.row(k))) along.push_back(deviationAt(piece, k, scales).along);
  scales.along = along.empty() ? 0.0 : quantile(along, 0.95);
  std::vector<Interruption> found;
  Index flagged = 0;
  for (const Speeds& piece : speeds) findIn(piece, scales, found, flagged);
  for (Interruption& event : found)
    event.repeated = std::ranges::any_of(
        pieces, [&](const PositionPiece& piece) { return isRepeated(piece, dt, event); });
  const bool usual =
      static_cast<double>(flagged) > kLargestShare * static_cast<double>(scales.moving_instants);
  return usual ? std::vector<Interruption>{} : found;
}

void bridgeInterruptions(std::span<const Interruption> interruptions,
                         double dt,
                         PositionPiece& piece) {
  for (const Interruption& event : interruptions) {
    const auto index_of = [&](double time) {
      return std::clamp<Index>(std::llround((time - piece.start) / dt), 0, piece.q.rows() - 1);
    };
    if (event.end < piece.start || index_of(event.begin) == index_of(event.end)) continue;
    const Index first = index_of(event.begin - kBridgeReach);
    const Index last = index_of(event.end + kBridgeReach);
    const double middle = 0.5 * static_cast<double>(first + last);
    const double half = 0.5 * static_cast<double>(last - first);
    MatrixXd powers(last - first + 1, kBridgeDegree + 1);
    VectorXd inside(powers.rows());  // 1 in the event, decreasing to 0 around it
    for (Index k = 0; k < powers.rows(); ++k) {
      const double x = (static_cast<double>(first + k) - middle) / half;
      powers(k, 0) = 1.0;
      for (Index p = 1; p <= kBridgeDegree; ++p) powers(k, p) = x * powers(k, p - 1);
      const double time = piece.start + dt * static_cast<double>(first + k);
      const double away =
          std::clamp(std::max(event.begin - time, time - event.end) / kBridgeTaper, 0.0, 1.0);
      inside(k) = 0.5 + 0.5 * std::cos(std::numbers::pi * away);
    }
    std::vector<Index> outside;
    for (Index k = 0; k < powers.rows(); ++k)
      if (const double time = piece.start + dt * static_cast<double>(first + k);
          time < event.begin - kBridgeMargin || time > event.end + kBridgeMargin)
        outside.push_back(k);
    if (std::ssize(outside) < 2 * (kBridgeDegree + 1)) continue;
    const auto positions = piece.q.middleRows(first, powers.rows());
    const MatrixXd smooth = powers * MatrixXd(powers(outside, Eigen::all))
                                         .colPivHouseholderQr()
                                         .solve(MatrixXd(positions(outside, Eigen::all)));
    piece.q.middleRows(first, powers.rows()) += inside.asDiagonal() * (smooth - positions);
  }
}

}  // namespace dynid
