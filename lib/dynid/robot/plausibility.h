#pragma once

#include "dynid/robot/robot.h"
#include "dynid/robot/tree_document.h"

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Physical properties computed from a body's ten parameters, and the problems found in them.
struct Plausibility {
  std::string name;           ///< of the link
  double mass = 0.0;          ///< [kg]
  Eigen::Vector3d com;        ///< [m], link frame
  Eigen::Vector3d moments;    ///< principal moments about the centre of mass, ascending [kg m^2]
  double triangle_gap = 0.0;  ///< (I1 + I2 - I3)/I3; negative: not the inertia of any body
  double pseudo_inertia_min_eigenvalue = 0.0;  ///< negative: not the parameters of any body
  /// Mass divided by the volume of the uniform ellipsoid with the same second moments of mass
  /// [kg/m^3]. Every body with these parameters has at least this density somewhere. Infinite for a
  /// flat, thin or point-like body.
  double smallest_density = 0.0;
  bool physical = true;  ///< a body with these parameters can exist
  /// one sentence each; a body can be physical and still be unlikely
  std::vector<std::string> problems;
};

/// Judges the parameters of one link (about its origin, link axes).
Plausibility plausibilityOf(const std::string& link, const InertialParameters& pi);

/// Judges every link that has its own inertia, valid or not: root link first, then in the order of
/// the bodies.
std::vector<Plausibility> plausibilityOf(const Robot& robot);

/// Whether a number is a multiple of 0.5, as angles in degrees mostly are.
bool isHalfInteger(double value);

/// Whether the position limits [rad] of a revolute joint are multiples of 0.5 more than 8 pi apart:
/// degrees or placeholders rather than the range of the joint.
bool areFarRoundLimits(const JointLimits& limits);

/// Whether a rotation [rad] looks like one in degrees: beyond two turns, or beyond one turn and a
/// multiple of half a degree.
bool isAsInDegrees(double angle);

/// Lengths of a description that no robot has.
struct LengthFault {
  double reach = 0.0;           ///< longest chain of offsets between joints [m]
  std::string message, remedy;  ///< what was found; how to mend the file
};

/// Offsets as of a file in millimetres: a chain of more than 100 m, the median offset longer than
/// 5 m and, where masses are described, less than 5 kg of links per metre of the chain (robots of
/// any size have 5 kg or more, in millimetres 1 kg or less).
std::optional<LengthFault> lengthsInMillimetres(const Robot& robot);

/// A line with the joints whose offset alone looks like one in millimetres: longer than 5 m and
/// than 100 times the longest offset of up to 5 m. Where the robot stands does not count.
std::vector<std::string> offsetsInMillimetres(const Robot& robot);

/// Sum of the distances between consecutive joint origins of the tree, or of the strokes of the
/// prismatic joints if that is larger (a gantry) [m]; 0.3 m where both are zero. Used as the size
/// of the machine.
double reachOf(const Robot& robot);

/// Largest distance from the origin of a moving link to that of a link it carries, along the chain
/// between them [m].
double longestChain(const Robot& robot);

/// Largest plausible distance of a body's centre of mass from its joint [m]: twice reachOf, or
/// twice the longest offset of a joint if that is larger (short branches on a wide root link).
/// Infinite for robots with loops or fewer than four bodies, whose size this does not tell.
double largestCentreDistance(const Robot& robot);

/// True if the parameters can serve as a prior: their pseudo-inertia is positive definite (a body
/// with volume).
bool usableAsPrior(const InertialParameters& pi);

/// Warnings about the inertias of a robot file: one line per kind of fault with the links
/// concerned, and one line with the bodies whose prior is not usable although inertias are given.
std::vector<std::string> inertialWarnings(const TreeDocument& document, const Robot& robot);

}  // namespace dynid
