#pragma once

#include "dynid/regression/base_parameters.h"

namespace dynid {

/// True if treeBaseParameters applies: a tree in which every body has a joint of its own (no loops,
/// no mimic joints), without couplings between drives where the layout has drive inertias.
bool hasTreeStructure(const Robot& robot, const ParameterLayout& layout);

/// The base parameters of a tree from its structure, without sampling: the same as baseParameters
/// of random states, in time that grows linearly with the number of joints (but for the size of K),
/// and with the accuracy of a single joint however long the chain is.
///
/// A change of the parameters of a body can be handed to its parent unseen if at the body's joint,
/// with axis phi, and in front of it
///
///     phi^T I(delta) w = 0        for every acceleration and gravity w of the body,
///     d^k/dq^k f(delta, q) = 0    for every function f of a body's parameters that a joint in
///     front
///                                 can feel: it does not matter to it how this joint stands.
///
/// The null space of the regressor is the sum of these spaces over the joints, each delta with its
/// opposite in the parent. It is brought to the form in which baseParameters takes the columns.
///
/// Source: Wensing, Niemeyer, Slotine, "A geometric characterization of observability in inertial
/// parameter identification", 2024 (recursive parameter nullspace algorithm).
///
/// @param layout       inertial columns of bodies, all ten or none of each, and drive inertias
/// @param still        what poses alone can tell
/// @param right_angle  [rad] as RandomStates::right_angle
/// @throws std::invalid_argument unless hasTreeStructure, and for other columns
BaseParameters treeBaseParameters(const Robot& robot,
                                  const ParameterLayout& layout,
                                  bool still = false,
                                  double right_angle = 5e-5);

}  // namespace dynid
