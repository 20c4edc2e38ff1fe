#pragma once

#include "dynid/logs/base_channels.h"
#include "dynid/recordings/sensor_audit.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <cstdint>
#include <vector>

namespace dynid {

/// Rows of a log, [begin, end).
struct RowRange {
  std::int64_t begin = 0, end = 0;
};

/// Reports channels of the base that do not fit the description or each other. Codes:
///   base-unknown  the base floats, and the log has none of its channels (a warning)
///   base-moves    the description fixes the base, and base/pose turns (a warning; refused where
///                 gravity tilts by more than 10 deg against the base)
///   base-twist    the base floats, and base/twist is not the derivative of base/pose: angular or
///                 linear motion over 0.2 s differ by more than 10 %, and one mistake explains it
///                 (refused): another frame than the attribute states, linear and angular part
///                 exchanged, degrees, millimetres, quaternions w x y z or world in base; or by
///                 more than 35 % (a warning)
/// @param base     nullptr: the log has none of these channels
/// @param used     rows of the log that are used
/// @param audited  excerpts of them
std::vector<Finding> auditBase(const Robot& robot,
                               const BaseReader* base,
                               const RowRange& used,
                               const AuditedRows& audited);

}  // namespace dynid
