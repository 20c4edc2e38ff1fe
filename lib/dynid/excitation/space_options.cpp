#include "dynid/excitation/space_options.h"

#include "dynid/core/text.h"

#include <cmath>
#include <stdexcept>

namespace dynid {

void SpaceOptions::check() const {
  if (!(clearance >= 0.0) || !std::isfinite(clearance))
    throw std::invalid_argument("`clearance` is " + toText(clearance) + "; expected 0 or more");
  if (!(link_radius >= 0.0) || !std::isfinite(link_radius))
    throw std::invalid_argument("`link_radius` is " + toText(link_radius) + "; expected 0 or more");
}

}  // namespace dynid
