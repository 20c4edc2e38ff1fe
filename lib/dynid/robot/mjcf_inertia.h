#pragma once

#include "dynid/robot/mjcf_pose.h"
#include "dynid/robot/tree_document.h"

#include <vector>

namespace dynid {

/// The inertia that an `<inertial>` gives its body, about the body's origin, in its axes:
/// diaginertia in the element's own frame, or fullinertia (xx yy zz xy xz yz) in the body's axes.
/// Fills inertial, fault and rejected of the link.
/// @throws InputError for a missing mass, both kinds of inertia, fullinertia with an orientation
void readMjcfInertial(const MjcfElement& inertial, const MjcfCompiler& compiler, TreeLink& link);

/// A geom with its defaults filled in, and its frame in the body.
struct MjcfGeom {
  MjcfElement element;
  Transform X_BF;
};

/// The inertia that MuJoCo computes from a body's geoms: solid spheres, capsules, cylinders, boxes
/// and ellipsoids of the geom's mass or density (1000 kg/m^3 by default). Planes and geoms outside
/// inertiagrouprange have none. If a mesh, a height field or a shell contributes, the link gets the
/// fault kUnknownGeoms. A body without mass stays without inertia.
/// @throws InputError for a geom whose size is missing or not positive
void inertiaFromGeoms(const std::vector<MjcfGeom>& geoms,
                      const MjcfCompiler& compiler,
                      TreeLink& link);

}  // namespace dynid
