#include "dynid/simulation/simulated_motion.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/complete_limits.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {
namespace {

/// [Hz] No joint follows faster motions; those far beyond have more peaks than can be searched.
constexpr double kHighestFrequency = 1000.0;

// A step from 0 to 1 over x in [0, 1] and its derivatives by x. Six derivatives vanish at both
// ends: if a derivative of the motion jumped, a log could not be differentiated down to rounding
// errors.
struct Step {
  double value, first, second;
};
Step smoothStep(double x) {
  if (x <= 0.0) return {0.0, 0.0, 0.0};
  if (x >= 1.0) return {1.0, 0.0, 0.0};
  const double u = x * (1.0 - x), u2 = u * u;
  const double tail =
      1716.0 +
      x * (-9009.0 + x * (20020.0 + x * (-24024.0 + x * (16380.0 + x * (-6006.0 + 924.0 * x)))));
  return {
      std::pow(x, 7) * tail, 12012.0 * u2 * u2 * u2, 6.0 * 12012.0 * u2 * u2 * u * (1.0 - 2.0 * x)};
}

// A series with a smooth start and stop.
struct Enveloped {
  FourierSeries series;  // its offset is zero
  Eigen::VectorXd middle;
  RandomMotionOptions options;

  Step envelope(double t) const {
    const double up = options.rest_s, down = options.duration_s - options.rest_s;
    const bool rising = t < 0.5 * options.duration_s;
    Step s = smoothStep((rising ? t - up : down - t) / options.ramp_s);
    s.first *= (rising ? 1.0 : -1.0) / options.ramp_s;
    s.second /= options.ramp_s * options.ramp_s;
    return s;
  }
  JointMotion at(double t) const {
    const Step s = envelope(t);
    const JointMotion f = evaluate(series, t);
    return {middle + s.value * f.q,
            s.value * f.dq + s.first * f.q,
            s.value * f.ddq + 2.0 * s.first * f.dq + s.second * f.q};
  }
};

// Largest |q - middle|, |dq|, |ddq| of every joint [joints x 3], on a grid of 40 points per period
// of the highest harmonic and 200 points per ramp; the error between grid points is below one
// percent. The series is periodic, so one period and both ends are sufficient for motions of any
// length.
Eigen::MatrixXd peaks(const Enveloped& motion) {
  const RandomMotionOptions& o = motion.options;
  const double step = std::min(1.0 / (40.0 * o.fundamental_hz * o.harmonics), o.ramp_s / 200.0);
  const double end = o.rest_s + o.ramp_s, period = 1.0 / o.fundamental_hz;
  Eigen::MatrixXd peak = Eigen::MatrixXd::Zero(motion.middle.size(), 3);
  const auto excerpt = [&](double from, double to) {
    const auto count = static_cast<std::int64_t>(std::ceil((to - from) / step));
    for (std::int64_t i = 0; i <= count; ++i) {
      const JointMotion m = motion.at(std::min(to, from + static_cast<double>(i) * step));
      peak.col(0) = peak.col(0).cwiseMax((m.q - motion.middle).cwiseAbs());
      peak.col(1) = peak.col(1).cwiseMax(m.dq.cwiseAbs());
      peak.col(2) = peak.col(2).cwiseMax(m.ddq.cwiseAbs());
    }
  };
  excerpt(0.0, std::min(o.duration_s, end + period));
  excerpt(std::max(0.0, o.duration_s - end), o.duration_s);
  return peak;
}

JointMotion evaluate(const QuinticPiece& piece, double time) {
  const double t = std::clamp(time - piece.t0_s, 0.0, piece.duration_s);
  const Eigen::MatrixXd& c = piece.coefficients;
  Eigen::VectorXd q = c.col(5), dq = 5.0 * c.col(5), ddq = 20.0 * c.col(5);
  for (int k = 4; k >= 0; --k) {
    q = q * t + c.col(k);
    if (k >= 1) dq = dq * t + k * c.col(k);
    if (k >= 2) ddq = ddq * t + k * (k - 1) * c.col(k);
  }
  return {q, dq, ddq};
}

// The quintic through position, velocity and acceleration of two consecutive samples.
QuinticPiece pieceBetween(const TrajectoryFile& file, Eigen::Index i) {
  const double h = file.time(i + 1) - file.time(i);
  const Eigen::VectorXd p0 = file.position.row(i), p1 = file.position.row(i + 1);
  const Eigen::VectorXd v0 = h * file.velocity.row(i), v1 = h * file.velocity.row(i + 1);
  const Eigen::VectorXd a0 = h * h * file.acceleration.row(i),
                        a1 = h * h * file.acceleration.row(i + 1);
  QuinticPiece piece;
  piece.t0_s = file.time(i);
  piece.duration_s = h;
  piece.coefficients.resize(p0.size(), 6);
  piece.coefficients.col(0) = p0;
  piece.coefficients.col(1) = v0;
  piece.coefficients.col(2) = 0.5 * a0;
  piece.coefficients.col(3) = 10.0 * (p1 - p0) - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
  piece.coefficients.col(4) = -15.0 * (p1 - p0) + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
  piece.coefficients.col(5) = 6.0 * (p1 - p0) - 3.0 * (v0 + v1) - 0.5 * a0 + 0.5 * a1;
  for (int k = 1; k < 6; ++k) piece.coefficients.col(k) /= std::pow(h, k);
  return piece;
}

JointMotion evaluate(const TrajectoryFile& file, double time) {
  if (file.lead_in && time < file.lead_in->t0_s + file.lead_in->duration_s)
    return evaluate(*file.lead_in, time);
  if (file.lead_out && time >= file.lead_out->t0_s) return evaluate(*file.lead_out, time);
  if (file.fourier) return evaluate(*file.fourier, time);
  const double* begin = file.time.data();
  const auto after = std::upper_bound(begin, begin + file.time.size(), time) - begin;
  const Eigen::Index i = std::clamp<Eigen::Index>(after - 1, 0, file.time.size() - 2);
  return evaluate(pieceBetween(file, i), time);
}

}  // namespace

JointMotion evaluate(const FourierSeries& series, double time) {
  const Eigen::Index n = series.offset.size();
  if (series.a.rows() != n || series.b.rows() != n || series.a.cols() != series.b.cols() ||
      !(series.fundamental_hz > 0.0))
    throw std::invalid_argument(
        "a Fourier series has coefficients of different shapes or a frequency that is not "
        "positive; expected a and b [n, L], offset [n] and fundamental_hz > 0");
  const double w = 2.0 * std::numbers::pi * series.fundamental_hz;
  JointMotion m{series.offset,
                Eigen::VectorXd::Zero(series.a.rows()),
                Eigen::VectorXd::Zero(series.a.rows())};
  for (Eigen::Index l = 0; l < series.a.cols(); ++l) {
    const double wl = w * static_cast<double>(l + 1);
    const double s = std::sin(wl * (time - series.t0_s)), c = std::cos(wl * (time - series.t0_s));
    m.q += (s / wl) * series.a.col(l) - (c / wl) * series.b.col(l);
    m.dq += c * series.a.col(l) + s * series.b.col(l);
    m.ddq += (-wl * s) * series.a.col(l) + (wl * c) * series.b.col(l);
  }
  return m;
}

void RandomMotionOptions::check() const {
  const auto positive = [](const char* field, double value) {
    if (!(value > 0.0) || !std::isfinite(value))
      throw std::invalid_argument(std::string("`") + field + "` is " + toText(value) +
                                  "; expected a positive number");
  };
  positive("duration_s", duration_s);
  positive("fundamental_hz", fundamental_hz);
  positive("ramp_s", ramp_s);
  if (!(amplitude > 0.0 && amplitude <= 0.95))
    throw std::invalid_argument("`amplitude` is " + toText(amplitude) + "; expected (0, 0.95]");
  if (harmonics < 1 || harmonics > 50)
    throw std::invalid_argument("`harmonics` is " + std::to_string(harmonics) +
                                "; expected 1 to 50");
  if (fundamental_hz * harmonics > kHighestFrequency)
    throw std::invalid_argument("`fundamental_hz` is " + toText(fundamental_hz) +
                                "; expected at most " + toText(kHighestFrequency / harmonics) +
                                " with " + std::to_string(harmonics) + " harmonics");
  if (!(rest_s >= 0.0) || !std::isfinite(rest_s))
    throw std::invalid_argument("`rest_s` is " + toText(rest_s) + "; expected 0 or more");
  if (duration_s < 2.0 * (ramp_s + rest_s))
    throw std::invalid_argument("`duration_s` is " + toText(duration_s) + "; expected at least " +
                                toText(2.0 * (ramp_s + rest_s)) +
                                " s, for it begins and ends at rest");
}

SimulatedMotion randomMotion(const Robot& robot, const RandomMotionOptions& options) {
  options.check();
  const Eigen::Index n = robot.numJoints();
  const auto limits_of = [&](Eigen::Index j) {
    return completeLimits(robot.joints[j].limits, robot.joints[j].prismatic);
  };
  auto motion = std::make_shared<Enveloped>();
  motion->options = options;
  motion->middle.resize(n);
  FourierSeries& series = motion->series;
  series.fundamental_hz = options.fundamental_hz;
  series.offset.setZero(n);
  series.a.resize(n, options.harmonics);
  series.b.resize(n, options.harmonics);
  for (Eigen::Index j = 0; j < n; ++j) {
    RandomStream random(options.seed, static_cast<std::uint64_t>(j));
    const JointLimits limits = limits_of(j);
    motion->middle(j) = 0.5 * (limits.lower + limits.upper);
    for (Eigen::Index l = 0; l < options.harmonics; ++l) {
      series.a(j, l) = random.normal();
      series.b(j, l) = random.normal();
    }
  }
  const Eigen::MatrixXd peak = peaks(*motion);
  for (Eigen::Index j = 0; j < n; ++j) {
    const JointLimits limits = limits_of(j);
    const Eigen::RowVector3d largest(
        0.5 * (limits.upper - limits.lower), limits.velocity, limits.acceleration);
    const double scale = options.amplitude * (largest.array() / peak.row(j).array()).minCoeff();
    series.a.row(j) *= scale;
    series.b.row(j) *= scale;
  }
  return {options.duration_s, [motion](double t) { return motion->at(t); }};
}

SimulatedMotion motionOf(const TrajectoryFile& trajectory) {
  if (trajectory.time.size() < 2)
    throw InputError("the trajectory has " + std::to_string(trajectory.time.size()) +
                     " samples; expected at least 2");
  const bool complete = trajectory.velocity.size() > 0 && trajectory.acceleration.size() > 0;
  if (!trajectory.fourier && !complete)
    throw InputError(
        "the trajectory has neither a group `fourier` nor velocity and acceleration, so the motion "
        "between its samples is "
        "unknown; write all three (dynid excite does)");
  trajectory.check();
  const auto shared = std::make_shared<const TrajectoryFile>(trajectory);
  const double start = shared->time(0), duration = shared->time(shared->time.size() - 1) - start;
  return {duration, [shared, start](double t) { return evaluate(*shared, start + t); }};
}

}  // namespace dynid
