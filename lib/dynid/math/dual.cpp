#include "dynid/math/dual.h"

namespace dynid {

template struct Dual<double>;
template struct Dual<Dual<double>>;

}  // namespace dynid
