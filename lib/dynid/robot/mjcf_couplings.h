#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/mjcf_bodies.h"

#include <string>
#include <vector>

namespace dynid {

/// Reads `<equality>`: `joint` with a linear polycoef makes joint1 a mimic of joint2,
///
///     q1 - ref1 = c0 + c1 (q2 - ref2)
///
/// (or fixes joint1 where there is no joint2); `connect` and `weld` become cut joints. Elements
/// with active="false" are ignored, and those with a mocap body are left out with a remark.
/// @throws InputError for a nonlinear polycoef, unknown joints or bodies, constraints of tendons
/// and flexible bodies
std::vector<RobotDescription::LoopEntry> readMjcfEqualities(const MjcfElement& root,
                                                            const MjcfDefaults& defaults,
                                                            MjcfBodies& bodies,
                                                            Remarks& remarks);

/// Reads `<tendon>` and `<actuator>`: effort limits of joints, where a single actuator with a known
/// range acts on them (gear times forcerange, or times ctrlrange where the force is proportional to
/// the control); and which joints are actuated.
/// @throws InputError for tendons with stiffness, damping or friction, unknown joints and tendons
std::vector<std::string> readMjcfActuators(const MjcfElement& root,
                                           const MjcfDefaults& defaults,
                                           MjcfBodies& bodies,
                                           Remarks& remarks);

}  // namespace dynid
