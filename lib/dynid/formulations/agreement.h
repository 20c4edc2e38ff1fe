#pragma once

#include "dynid/formulations/formulation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dynid {

/// How one formulation compares with the projection method, on one robot.
struct FormulationAgreement {
  std::string name;
  Computes computes = Computes::kRegressor;
  std::string what;
  bool applies = true;
  std::string reason;  ///< why it does not apply, or why the tolerance is what it is
  double max_relative_disagreement = 0.0;
  double tolerance = 0.0;
  double nanoseconds = 0.0;  ///< an evaluation, median over the states

  bool agrees() const { return !applies || max_relative_disagreement <= tolerance; }
};

struct AgreementOptions {
  int states = 20;         ///< random motions, >= 1
  std::uint64_t seed = 1;  ///< of motions, bodies and constraints
};

/// Evaluates every formulation that applies on the same random motions (within the joint limits)
/// of random possible bodies, and compares it with the projection method:
///
/// - a regressor entry by entry, relative to the largest entry of the same parameter (m, mx, ...),
///   or to a thousandth of the largest of all where no joint feels that parameter;
/// - accelerations by the forces that the difference stands for, max |M (ddq' - ddq)| over the
///   largest effort: the same number for a light wrist and a heavy shoulder, and rounding is not
///   multiplied by the condition of M;
/// - an identity by what is left over, relative to the sum of its terms.
///
/// A floating base counts as six more joints (withBaseJoints).
std::vector<FormulationAgreement> compareFormulations(const Robot& robot,
                                                      const AgreementOptions& options = {});

/// One formulation on given states of a robot whose base is fixed.
FormulationAgreement compareFormulation(const Formulation& formulation,
                                        const Robot& robot,
                                        const std::vector<FormulationState>& states);

/// The random motions that compareFormulations uses; of a robot whose base is fixed.
std::vector<FormulationState> randomFormulationStates(const Robot& robot,
                                                      const AgreementOptions& options,
                                                      bool at_rest);

}  // namespace dynid
