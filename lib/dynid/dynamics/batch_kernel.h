// The regressor of the projection method on lanes of samples; included once by every instruction
// set's unit, which defines DYNID_KERNEL_NAMESPACE and DYNID_KERNEL_LANES.
//
// Nothing here may be an inline function or template with a name that another unit has as well: the
// linker would keep one of them, perhaps the one with instructions that this machine lacks. So: an
// own namespace, plain pointers, no standard library, no Eigen.
//
// Source: projection method, "Other methods for derivation of systems dynamics"; equations at
// ProjectionRegressor.
#include "dynid/dynamics/batch_plan.h"

namespace dynid::DYNID_KERNEL_NAMESPACE {
namespace {

constexpr int kLanes = DYNID_KERNEL_LANES;
typedef double Pack __attribute__((vector_size(8 * DYNID_KERNEL_LANES)));         // NOLINT
typedef long long Integers __attribute__((vector_size(8 * DYNID_KERNEL_LANES)));  // NOLINT
typedef double Loose
    __attribute__((vector_size(8 * DYNID_KERNEL_LANES), aligned(8), may_alias));  // NOLINT

[[gnu::always_inline]] inline Pack load(const double* from) {
  return *reinterpret_cast<const Loose*>(from);
}
[[gnu::always_inline]] inline void store(double* to, Pack value) {
  *reinterpret_cast<Loose*>(to) = value;
}
[[gnu::always_inline]] inline Pack all(double value) { return value - Pack{}; }

struct Vector {
  Pack x, y, z;
};
[[gnu::always_inline]] inline Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[gnu::always_inline]] inline Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[gnu::always_inline]] inline Pack dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[gnu::always_inline]] inline Vector scaled(const double* direction, Pack by) {
  return {direction[0] * by, direction[1] * by, direction[2] * by};
}

struct Matrix {
  Pack m[9];  // row by row
};
// R^T v
[[gnu::always_inline]] inline Vector back(const Matrix& R, const Vector& v) {
  const Pack* m = R.m;
  return {m[0] * v.x + m[3] * v.y + m[6] * v.z,
          m[1] * v.x + m[4] * v.y + m[7] * v.z,
          m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

// Sine and cosine. Reduction to [-pi/4, pi/4] by pi/2 in three pieces (Cody, Waite), Taylor's
// series to r^17 there: below 2.5 units in the last place for |x| < 1e6.
struct SineCosine {
  Pack sine, cosine;
};
[[gnu::always_inline]] inline SineCosine sineCosine(Pack x) {
  constexpr double kRound = 6755399441055744.0;  // 1.5 2^52: adding it rounds to an integer
  const Pack shifted = x * 0.63661977236758138 + kRound;
  const Pack n = shifted - kRound;
  // pi/2 = the sum; the first two have 33 bits, so their products with n are exact.
  constexpr double kHigh = 1.57079632673412561417e+00;
  constexpr double kMiddle = 6.07710050630396597660e-11;
  constexpr double kLow = 2.02226624879595063154e-21;
  const Pack head = x - n * kHigh;
  const Pack middle = n * kMiddle;
  const Pack first = head - middle;
  const Pack lost = (head - first) - middle;
  const Pack r = first + (lost - n * kLow);
  const Pack s = r * r;
  Pack sine = all(1.0 / 355687428096000.0);  // 17!
  sine = sine * s - 1.0 / 1307674368000.0;
  sine = sine * s + 1.0 / 6227020800.0;
  sine = sine * s - 1.0 / 39916800.0;
  sine = sine * s + 1.0 / 362880.0;
  sine = sine * s - 1.0 / 5040.0;
  sine = sine * s + 1.0 / 120.0;
  sine = sine * s - 1.0 / 6.0;
  sine = r + r * (s * sine);
  Pack cosine = all(1.0 / 20922789888000.0);  // 16!
  cosine = cosine * s - 1.0 / 87178291200.0;
  cosine = cosine * s + 1.0 / 479001600.0;
  cosine = cosine * s - 1.0 / 3628800.0;
  cosine = cosine * s + 1.0 / 40320.0;
  cosine = cosine * s - 1.0 / 720.0;
  cosine = cosine * s + 1.0 / 24.0;
  cosine = 1.0 - (0.5 * s - s * s * cosine);
  const Integers quadrant = reinterpret_cast<Integers>(shifted) & 3;
  const Integers odd = (quadrant & 1) != 0;
  const Pack sine_of = odd ? cosine : sine;
  const Pack cosine_of = odd ? sine : cosine;
  const Integers sine_down = quadrant >= 2;
  const Integers cosine_down = ((quadrant + 1) & 3) >= 2;
  return {sine_down ? -sine_of : sine_of, cosine_down ? -cosine_of : cosine_of};
}

struct Motion {
  Vector w, wd, a;
};

[[gnu::always_inline]] inline Vector loadVector(const Pack* from) {
  return {from[0], from[1], from[2]};
}
[[gnu::always_inline]] inline void storeVector(Pack* to, const Vector& v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

[[gnu::always_inline]] inline Matrix rotationOf(const BatchBody& body, Pack q) {
  Matrix R;
  if (body.prismatic != 0) {
    for (int i = 0; i < 9; ++i) R.m[i] = all(body.rotation[0][i]);
    return R;
  }
  const SineCosine of = sineCosine(q);
  for (int i = 0; i < 9; ++i)
    R.m[i] = body.rotation[0][i] + of.cosine * body.rotation[1][i] + of.sine * body.rotation[2][i];
  return R;
}

// J_i^T A_k: ten columns.
[[gnu::always_inline]] inline void writeColumns(const Vector& v,
                                                const Vector& w,
                                                const Motion& body,
                                                const Matrix& M,
                                                double* to,
                                                long stride) {
  const Vector aw = cross(body.a, w);
  const Pack* m = M.m;
  const Vector y = cross(w, body.w);
  const Vector &d = body.wd, &b = body.w;
  store(to, dot(v, body.a));
  store(to + stride, m[0] * v.x + m[3] * v.y + m[6] * v.z + aw.x);
  store(to + 2 * stride, m[1] * v.x + m[4] * v.y + m[7] * v.z + aw.y);
  store(to + 3 * stride, m[2] * v.x + m[5] * v.y + m[8] * v.z + aw.z);
  store(to + 4 * stride, w.x * d.x + y.x * b.x);
  store(to + 5 * stride, w.x * d.y + w.y * d.x + y.x * b.y + y.y * b.x);
  store(to + 6 * stride, w.x * d.z + w.z * d.x + y.x * b.z + y.z * b.x);
  store(to + 7 * stride, w.y * d.y + y.y * b.y);
  store(to + 8 * stride, w.y * d.z + w.z * d.y + y.y * b.z + y.z * b.y);
  store(to + 9 * stride, w.z * d.z + y.z * b.z);
}

// [wd]x + [w]x [w]x
[[gnu::always_inline]] inline Matrix angularPart(const Motion& body) {
  const Vector &w = body.w, &d = body.wd;
  const Pack xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  const Pack xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  return {
      {-yy - zz, xy - d.z, xz + d.y, xy + d.z, -xx - zz, yz - d.x, xz - d.y, yz + d.x, -xx - yy}};
}

[[gnu::always_inline]] inline Motion moveBody(const BatchBody& body,
                                              const Motion& parent,
                                              const Matrix& R,
                                              const Vector& p,
                                              Pack dq,
                                              Pack ddq) {
  Motion own;
  own.w = back(R, parent.w);
  own.wd = back(R, parent.wd);
  own.a = back(R, parent.a + cross(parent.wd, p) + cross(parent.w, cross(parent.w, p)));
  const Vector rate = scaled(body.axis, dq), change = scaled(body.axis, ddq);
  const Vector turned = cross(own.w, rate);
  if (body.prismatic != 0) {
    own.a = own.a + change + turned + turned;
  } else {
    own.wd = own.wd + change + turned;  // the parent's w: the axis does not turn about itself
    own.w = own.w + rate;
  }
  return own;
}

void evaluateLanes(const BatchPlan& plan, const BatchRequest& request, long sample) {
  auto* motions = reinterpret_cast<Pack*>(request.scratch);
  Pack* pairs = motions + static_cast<long>(kScratchPerBody) * plan.num_bodies;
  const Motion root{{},
                    {},
                    {all(plan.base_acceleration[0]),
                     all(plan.base_acceleration[1]),
                     all(plan.base_acceleration[2])}};
  for (int k = 0; k < plan.num_bodies; ++k) {
    const BatchBody& body = plan.bodies[k];
    const long at = body.joint * request.input_stride + sample;
    const Pack q = body.multiplier * load(request.q + at) + body.offset;
    const Matrix R = rotationOf(body, q);
    Vector p{all(body.translation[0]), all(body.translation[1]), all(body.translation[2])};
    if (body.prismatic != 0) p = p + scaled(body.slide, q);
    Motion parent = root;
    if (body.parent >= 0) {
      const Pack* from = motions + static_cast<long>(kScratchPerBody) * body.parent;
      parent = {loadVector(from), loadVector(from + 3), loadVector(from + 6)};
    }
    const Motion own = moveBody(body,
                                parent,
                                R,
                                p,
                                body.multiplier * load(request.dq + at),
                                body.multiplier * load(request.ddq + at));
    Pack* to = motions + static_cast<long>(kScratchPerBody) * k;
    storeVector(to, own.w);
    storeVector(to + 3, own.wd);
    storeVector(to + 6, own.a);
    const Matrix M = angularPart(own);
    for (int i = body.first_pair; i < body.first_pair + body.num_pairs; ++i) {
      Vector v{}, w{};
      if (plan.pairs[i].parent_pair >= 0) {
        const Pack* from = pairs + static_cast<long>(kScratchPerPair) * plan.pairs[i].parent_pair;
        const Vector w_parent = loadVector(from + 3);
        v = back(R, loadVector(from) + cross(w_parent, p));
        w = back(R, w_parent);
      }
      if (plan.pairs[i].own != 0) {
        const Vector along = scaled(body.axis, all(body.multiplier));
        (body.prismatic != 0 ? v : w) = (body.prismatic != 0 ? v : w) + along;
      }
      Pack* kept = pairs + static_cast<long>(kScratchPerPair) * i;
      storeVector(kept, v);
      storeVector(kept + 3, w);
      writeColumns(v, w, own, M, request.columns[i] + sample, request.output_stride);
    }
  }
}

}  // namespace

void evaluate(const BatchPlan& plan, const BatchRequest& request) {
  // A store that crosses cache lines costs two: begin where the lanes of the columns are aligned
  // (of all of them where the stride is whole lines).
  const auto address = reinterpret_cast<unsigned long long>(request.columns[0]);
  const auto ahead = static_cast<long>((kLanes - address / sizeof(double) % kLanes) % kLanes);
  long sample = ahead + kLanes <= request.samples ? ahead : 0;
  if (sample > 0) evaluateLanes(plan, request, 0);
  for (; sample + kLanes <= request.samples; sample += kLanes) evaluateLanes(plan, request, sample);
  if (sample < request.samples) evaluateLanes(plan, request, request.samples - kLanes);
}

void sineAndCosine(const double* x, double* sine, double* cosine) {
  const SineCosine of = sineCosine(load(x));
  store(sine, of.sine);
  store(cosine, of.cosine);
}

}  // namespace dynid::DYNID_KERNEL_NAMESPACE
