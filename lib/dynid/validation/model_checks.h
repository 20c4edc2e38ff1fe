#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <cstdint>

namespace dynid {

/// Every link is a physically possible body (pseudo-inertia positive semidefinite, Wensing et al.
/// 2017), and parameters that must not be negative (viscous, Coulomb, drive inertia) are not.
/// Value: the smallest eigenvalue.
Check checkPhysicalConsistency(const Model& model);

/// The mass matrix on the joint side, M(q) + T^-T diag(drive inertia) T^-1, is positive definite
/// over the whole joint ranges. It is checked at `samples` states of a low-discrepancy sequence
/// (JointStates) shifted by `seed`. Value: the smallest eigenvalue found; the message contains the
/// state.
Check checkMassMatrix(const Model& model,
                      double min_eigenvalue,
                      int samples = 512,
                      std::uint64_t seed = 1);

/// Recomputes the optimality proof from the numbers in the model (checkCertificate), and checks
/// that it refers to the links of this model. Value: the certified relative duality gap.
Check checkModelCertificate(const Model& model, double max_gap);

}  // namespace dynid
