#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Table rows, a header and one row per link: mass, centre of mass in the link's frame, and whether
/// the mass is identifiable from joint torques alone, in a combination or not at all.
std::vector<std::vector<std::string>> massRows(const Model& model);

/// Table rows, a header and one row per drive: (first) Coulomb and viscous friction, offset, drive
/// inertia, and the names of further effects; of a second Coulomb term also the value.
std::vector<std::vector<std::string>> frictionRows(const Model& model);

/// Name of the channel in which drive and fit are compared: that of the joint, or, where drives are
/// coupled, that of the drive with "(drive)": its efforts are tau_actuator = T^T tau_joint.
std::string channelName(const Model& model, int drive);

/// Unit of the efforts of that channel: N m, N or A. A coupled drive that moves slides may turn or
/// be linear: both units are named.
std::string channelUnit(const Model& model, int drive);

/// Table rows, a header and one row per channel: the headline error, its noise floor, the figures
/// of the fit, and whether the joint with the number of the channel may be used.
std::vector<std::vector<std::string>> jointRows(const Model& model);

/// Table rows, a header and one row per wrench sensor: its errors in the fit.
std::vector<std::vector<std::string>> sensorRows(const Model& model);

/// Names of the base parameters that the logs excite badly (Excitation of their verdict).
std::vector<std::string> badlyExcited(const Model& model);

}  // namespace dynid
