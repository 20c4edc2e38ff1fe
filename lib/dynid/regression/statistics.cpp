#include "dynid/regression/statistics.h"

namespace dynid {

double Statistics::movingRows(int channel) const {
  double rows = 0.0;
  for (const TriangularFactor& factor : channels[static_cast<size_t>(channel)].moving)
    rows += factor.rows();
  return rows;
}

}  // namespace dynid
