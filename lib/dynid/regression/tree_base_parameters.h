#pragma once

#include "dynid/regression/base_parameters.h"

namespace dynid {

/// Whether treeBaseParameters applies: a tree with one joint per body (no loops, no mimic joints),
/// and no couplings between drives if the layout has drive inertias.
bool hasTreeStructure(const Robot& robot, const ParameterLayout& layout);

/// The base parameters of a tree from its structure, without random states. The result equals that
/// of baseParameters, but the time grows linearly with the number of joints (except for the size of
/// K), and the accuracy is that of a single joint however long the chain is.
///
/// A change delta of the parameters of a body has no effect on any effort if its opposite is
/// applied to the parent and, at the body's joint with axis phi,
///
///     phi^T I(delta) w = 0        for every acceleration and gravity w that the body can have,
///     d^k/dq^k f(delta, q) = 0    for every function f of the body's parameters that has an effect
///                                 on a joint closer to the root: f does not depend on q.
///
/// The null space of the regressor is the sum of these spaces over all joints. It is transformed to
/// the form in which baseParameters orders the columns.
///
/// Source: Wensing, Niemeyer, Slotine, "A geometric characterization of observability in inertial
/// parameter identification", 2024 (recursive parameter nullspace algorithm).
///
/// @param layout       inertial columns of bodies, all ten or none per body, and drive inertias
/// @param at_rest      only what static poses can determine
/// @param right_angle  [rad] as RandomStates::right_angle
/// @throws std::invalid_argument unless hasTreeStructure, and for other columns
BaseParameters treeBaseParameters(const Robot& robot,
                                  const ParameterLayout& layout,
                                  bool at_rest = false,
                                  double right_angle = 5e-5);

}  // namespace dynid
