#include "dynid/robot/drive.h"

namespace dynid {

const char* toString(FrictionEffect effect) {
  switch (effect) {
    case FrictionEffect::kViscous:
      return "viscous";
    case FrictionEffect::kCoulomb:
      return "coulomb";
    case FrictionEffect::kOffset:
      return "offset";
    case FrictionEffect::kAsymmetric:
      return "asymmetric";
    case FrictionEffect::kSqrtViscous:
      return "sqrt_viscous";
    case FrictionEffect::kQuadraticViscous:
      return "quadratic_viscous";
    case FrictionEffect::kLoad:
      return "load";
    case FrictionEffect::kStribeck:
      return "stribeck";
    case FrictionEffect::kPresliding:
      return "presliding";
    case FrictionEffect::kRipple:
      return "ripple";
  }
  return "unknown";
}

const std::vector<FrictionEffect>& allFrictionEffects() {
  static const std::vector<FrictionEffect> all = {FrictionEffect::kViscous,
                                                  FrictionEffect::kCoulomb,
                                                  FrictionEffect::kOffset,
                                                  FrictionEffect::kAsymmetric,
                                                  FrictionEffect::kSqrtViscous,
                                                  FrictionEffect::kQuadraticViscous,
                                                  FrictionEffect::kLoad,
                                                  FrictionEffect::kStribeck,
                                                  FrictionEffect::kPresliding,
                                                  FrictionEffect::kRipple};
  return all;
}

}  // namespace dynid
