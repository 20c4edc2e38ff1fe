#pragma once

#include "dynid/model/model.h"

#include <string>

namespace dynid {

/// A C99 library of one robot: a header and a source without loops over bodies, allocation, or
/// dependencies but math.h.
struct CFiles {
  std::string header, source;
  int operations = 0;  ///< of one call of inverse_dynamics, functions counted as one
  /// Largest difference from modelEfforts at random states, relative to the largest effort.
  double max_relative_disagreement = 0.0;
};

/// Writes a model as C. For a robot of n joints, joint side, SI, vectors in the order of the
/// model's joints:
///
///     NAME_inverse_dynamics(q, dq, ddq, tau)   tau = M ddq + coriolis + gravity + friction +
///     springs NAME_mass_matrix(q, M)                   links and drives, n x n NAME_coriolis(q,
///     dq, tau)                velocity coupling C(q, dq) dq NAME_gravity(q, tau) NAME_friction(q,
///     dq, ddq, tau)           as modelEfforts: presliding has no state NAME_springs(q, tau)
///     position effects
///
/// @param stem   file name without folder and ending: NAME and the header's name follow from it
/// @param model_sha256  of the model file, for the comment
/// @throws InputError for closed loops and for a floating base
CFiles writeC(const Model& model, const std::string& stem, const std::string& model_sha256);

}  // namespace dynid
