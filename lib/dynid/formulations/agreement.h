#pragma once

#include "dynid/formulations/formulation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dynid {

/// Comparison of one formulation with the projection method on one robot.
struct FormulationAgreement {
  std::string name;
  Computes computes = Computes::kRegressor;
  std::string what;
  bool applies = true;
  std::string reason;  ///< why it does not apply, or why the tolerance has its value
  double max_relative_disagreement = 0.0;
  double tolerance = 0.0;
  double nanoseconds = 0.0;  ///< run time of one evaluation, median over the states

  /// Whether the formulation does not apply or agrees within its tolerance.
  bool agrees() const { return !applies || max_relative_disagreement <= tolerance; }
};

/// Random states of the comparison.
struct AgreementOptions {
  int states = 20;         ///< random motions, >= 1
  std::uint64_t seed = 1;  ///< seed of motions, bodies and constraints
};

/// Evaluates every formulation that applies to this robot on the same random motions (within the
/// joint limits) of random physically possible bodies, and compares it with the projection method:
///
/// - A regressor is compared entry by entry, relative to the largest entry of the same parameter
///   (m, mx, ...), or to a thousandth of the largest entry of all if that parameter has no effect
///   on any joint.
/// - Accelerations are compared by the effort of their difference, max |M (ddq' - ddq)| relative to
///   the largest effort. This measure treats light wrists and heavy shoulders alike and does not
///   multiply rounding errors by the condition number of M.
/// - An identity is judged by its residual relative to the sum of its terms.
///
/// A floating base counts as six additional joints (withBaseJoints).
std::vector<FormulationAgreement> compareFormulations(const Robot& robot,
                                                      const AgreementOptions& options = {});

/// Compares one formulation at the given states of a robot with a fixed base.
FormulationAgreement compareFormulation(const Formulation& formulation,
                                        const Robot& robot,
                                        const std::vector<FormulationState>& states);

/// The random motions of compareFormulations, for a robot with a fixed base.
/// @param at_rest  velocities and accelerations zero
std::vector<FormulationState> randomFormulationStates(const Robot& robot,
                                                      const AgreementOptions& options,
                                                      bool at_rest);

}  // namespace dynid
