#include "dynid/formulations/formulation_table.h"

#include "dynid/formulations/gibbs_appell.h"
#include "dynid/formulations/kane.h"
#include "dynid/formulations/lagrange.h"
#include "dynid/formulations/newton_euler_recursion.h"
#include "dynid/formulations/projection_method.h"

namespace dynid {

std::vector<Formulation> allFormulations() {
  return {projectionFormulation(),
          newtonEulerFormulation(),
          lagrangeFormulation(),
          kaneFormulation(),
          gibbsAppellFormulation()};
}

const char* toString(Computes computes) {
  switch (computes) {
    case Computes::kRegressor:
      return "regressor";
    case Computes::kAccelerations:
      return "accelerations";
    case Computes::kIdentity:
      return "identity";
  }
  return "unknown";
}

}  // namespace dynid
