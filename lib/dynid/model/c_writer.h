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

// clang-format off
/// Writes a model as C functions. n joints, joint side, SI units, vectors in the order of the
/// model's joints:
///
///     NAME_inverse_dynamics(q, dq, ddq, tau)   tau = M ddq + coriolis + gravity + friction + springs
///     NAME_mass_matrix(q, M)                   links and drives, n x n
///     NAME_coriolis(q, dq, tau)                velocity-dependent efforts C(q, dq) dq
///     NAME_gravity(q, tau)                     gravity
///     NAME_friction(q, dq, ddq, tau)           as modelEfforts: presliding friction has no state
///     NAME_springs(q, tau)                     position effects
///
/// @param stem          file name without folder and extension; NAME and the name of the header are
///                      derived from it
/// @param model_sha256  of the model file, for the comment
/// @throws InputError for closed loops and for a floating base
// clang-format on
CFiles writeC(const Model& model, const std::string& stem, const std::string& model_sha256);

}  // namespace dynid
