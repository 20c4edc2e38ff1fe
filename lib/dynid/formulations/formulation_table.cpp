#include "dynid/formulations/formulation_table.h"

#include "dynid/formulations/augmented.h"
#include "dynid/formulations/central_equation.h"
#include "dynid/formulations/dalembert.h"
#include "dynid/formulations/direct.h"
#include "dynid/formulations/embedded.h"
#include "dynid/formulations/floating_base.h"
#include "dynid/formulations/forward_dynamics.h"
#include "dynid/formulations/gauss.h"
#include "dynid/formulations/gibbs_appell.h"
#include "dynid/formulations/hamilton.h"
#include "dynid/formulations/hamilton_principle.h"
#include "dynid/formulations/higher_order_acceleration_energy.h"
#include "dynid/formulations/huygens.h"
#include "dynid/formulations/kane.h"
#include "dynid/formulations/lagrange.h"
#include "dynid/formulations/maggi.h"
#include "dynid/formulations/newton_euler_lagrange.h"
#include "dynid/formulations/newton_euler_recursion.h"
#include "dynid/formulations/projected.h"
#include "dynid/formulations/projection_method.h"
#include "dynid/formulations/routh.h"
#include "dynid/formulations/udwadia_kalaba.h"

namespace dynid {

std::vector<Formulation> allFormulations() {
  return {projectionFormulation(),
          newtonEulerFormulation(),
          lagrangeFormulation(),
          newtonEulerLagrangeFormulation(),
          kaneFormulation(),
          gibbsAppellFormulation(),
          higherOrderFormulation(),
          dalembertFormulation(),
          virtualWorkFormulation(),
          kirchhoffFormulation(),
          spaceFrameFormulation(),
          hybridFormulation(),
          hamiltonFormulation(),
          routhFirstFormulation(),
          routhAlternateFormulation(),
          routhButLastFormulation(),
          gaussFormulation(),
          forwardDynamicsFormulation(),
          augmentedFormulation(),
          directFormulation(),
          projectedFormulation(),
          embeddedFormulation(),
          udwadiaKalabaFormulation(),
          maggiFormulation(),
          huygensFormulation(),
          energyWindowFormulation(),
          momentumWindowFormulation(),
          centralEquationFormulation(),
          hamiltonPrincipleFormulation()};
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
