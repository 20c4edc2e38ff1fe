#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <cstdint>

namespace dynid {

/// Every link is a possible body (pseudo-inertia positive semidefinite, Wensing et al. 2017), and
/// what physics wants nonnegative (viscous, Coulomb, drive inertia) is. Value: the smallest
/// eigenvalue.
Check checkPhysicalConsistency(const Model& model);

/// The joint-side mass matrix M(q) + T^-T diag(drive inertia) T^-1 is positive definite all over
/// the joint ranges: sampled at `samples` states of a low-discrepancy sequence (additive
/// recurrence, Roberts 2018), shifted by `seed`. Joints without limits: one turn, or 1 m to either
/// side. Value: the smallest eigenvalue found; the message says where.
Check checkMassMatrix(const Model& model,
                      double min_eigenvalue,
                      int samples = 512,
                      std::uint64_t seed = 1);

/// Recomputes the optimality proof from the numbers in the model (checkCertificate), and that it is
/// about this model's links. Value: the certified relative duality gap.
Check checkModelCertificate(const Model& model, double max_gap);

}  // namespace dynid
