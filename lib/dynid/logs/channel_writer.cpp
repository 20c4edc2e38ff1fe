#include "dynid/logs/channel_writer.h"

#include <algorithm>

namespace dynid {

void setUnits(H5Output& file,
              const std::string& name,
              Quantity quantity,
              size_t joints,
              const std::vector<bool>& prismatic) {
  const auto linear = static_cast<size_t>(std::count(prismatic.begin(), prismatic.end(), true));
  if (linear == 0 || linear == joints || quantity == Quantity::kCurrent) {
    file.setText(name, "unit", siUnit(quantity, linear > 0));
    return;
  }
  std::vector<std::string> units;
  for (size_t i = 0; i < joints; ++i) units.push_back(siUnit(quantity, prismatic[i]));
  file.setTexts(name, "unit_per_joint", units);
}

size_t createChannel(H5Output& file,
                     const std::string& name,
                     Quantity quantity,
                     size_t joints,
                     const std::vector<bool>& prismatic,
                     int compression) {
  const size_t growing = file.createGrowing(name, static_cast<std::int64_t>(joints), compression);
  setUnits(file, name, quantity, joints, prismatic);
  return growing;
}

}  // namespace dynid
