#pragma once

#include "dynid/robot/parameter_layout.h"

#include <cmath>

namespace dynid {

/// Whether effectColumn can use this shape: positive and finite for kStribeck, kPresliding and
/// kRipple; the others do not use it.
inline bool isUsableShape(FrictionEffect effect, double shape) {
  const bool used = effect == FrictionEffect::kStribeck || effect == FrictionEffect::kPresliding ||
                    effect == FrictionEffect::kRipple;
  return !used || (shape > 0.0 && std::isfinite(shape));
}

/// Whether a presliding distance [rad or m] or a smoothing velocity [rad/s or m/s] of a column can
/// be used: finite and not negative; 0: none.
inline bool isUsableTransition(double value) { return value >= 0.0 && std::isfinite(value); }

}  // namespace dynid
