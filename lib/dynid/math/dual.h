#pragma once

#include <Eigen/Core>

#include <cmath>

namespace dynid {

/// A dual number, value + slope e with e^2 = 0. Arithmetic applies the chain rule to the slope, so
/// that f(Dual(x, 1)).slope = f'(x) up to rounding (forward automatic differentiation).
///
/// The type nests: in Dual<Dual<double>> the slope of the slope is a mixed second derivative, exact
/// up to rounding. Only the operations that kinematics and energies need are defined.
template <typename T>
struct Dual {
  T value;  ///< value of the function
  T slope;  ///< its derivative

  Dual() : value(0.0), slope(0.0) {}
  /// A constant: its slope is zero.
  explicit Dual(double v) : value(v), slope(0.0) {}
  Dual(const T& v, const T& s) : value(v), slope(s) {}

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.slope + a.slope * b.value};
  }
  friend Dual operator+(const Dual& a, double b) { return {a.value + b, a.slope}; }
  friend Dual operator-(const Dual& a, double b) { return {a.value - b, a.slope}; }
  friend Dual operator*(const Dual& a, double b) { return {a.value * b, a.slope * b}; }
  friend Dual operator*(double a, const Dual& b) { return b * a; }

  friend Dual sin(const Dual& a) {
    using std::cos;
    using std::sin;
    return {sin(a.value), cos(a.value) * a.slope};
  }
  friend Dual cos(const Dual& a) {
    using std::cos;
    using std::sin;
    return {cos(a.value), -(sin(a.value) * a.slope)};
  }
};

/// Dual1: value and first derivative. Dual2: in addition the derivatives along a second direction.
using Dual1 = Dual<double>;
using Dual2 = Dual<Dual1>;

extern template struct Dual<double>;
extern template struct Dual<Dual<double>>;

}  // namespace dynid

namespace Eigen {

template <typename T>
struct NumTraits<dynid::Dual<T>> : NumTraits<double> {
  using Real = dynid::Dual<T>;
  using NonInteger = dynid::Dual<T>;
  using Nested = dynid::Dual<T>;
  enum {  // NOLINTBEGIN(readability-identifier-naming): the names are Eigen's
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2 * NumTraits<T>::ReadCost,
    AddCost = 2 * NumTraits<T>::AddCost,
    MulCost = 3 * NumTraits<T>::MulCost
  };  // NOLINTEND(readability-identifier-naming)
};

}  // namespace Eigen
