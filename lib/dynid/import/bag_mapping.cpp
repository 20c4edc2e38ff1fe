#include "dynid/import/bag_mapping.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string>

namespace dynid {
namespace {

/// Says by what the numbers of a channel are multiplied.
void noteFactors(const char* channel,
                 const std::optional<ChannelMapping>& change,
                 const std::vector<std::string>& joints,
                 std::vector<std::string>& notes) {
  if (!change) return;
  std::map<double, std::vector<std::string>> joints_of_factor;
  for (size_t j = 0; j < joints.size(); ++j)
    if (change->factors[j] != 1.0) joints_of_factor[change->factors[j]].push_back(joints[j]);
  for (const auto& [factor, names] : joints_of_factor)
    notes.push_back(fmt::format("{} multiplied by {:.6g} (mapping file): {}",
                                channel,
                                factor,
                                names.size() == joints.size() ? "all joints" : join(names)));
}

}  // namespace

ImportMapping mappingOfBag(const std::optional<std::filesystem::path>& file,
                           ImportMapping mapping,
                           const BagPlan& plan) {
  const size_t joints = plan.joints.size();
  ChannelMapping plain;
  plain.columns.assign(joints, std::int64_t{0});
  plain.factors.assign(joints, 1.0);
  mapping.joints = plan.joints;
  mapping.prismatic.resize(joints, false);
  mapping.position = plain;
  if (plan.has_velocity) mapping.velocity = plain;
  if (plan.has_effort) mapping.effort = mapping.current = plain;
  if (file) changeChannels(*file, mapping);
  if (mapping.effort) mapping.current.reset();
  return mapping;
}

std::vector<double> factorsOfRow(const ImportMapping& mapping, const BagPlan& plan) {
  std::vector<double> factors(plan.width, 1.0);
  const std::optional<ChannelMapping>* const channels[] = {
      &mapping.position, &mapping.velocity, mapping.effort ? &mapping.effort : &mapping.current};
  for (size_t c = 0; c < std::size(channels); ++c)
    if (*channels[c])
      std::copy((*channels[c])->factors.begin(),
                (*channels[c])->factors.end(),
                factors.begin() + static_cast<std::ptrdiff_t>(c * plan.joints.size()));
  return factors;
}

void noteMapping(const ImportMapping& mapping, ImportResult& result) {
  for (TakenColumn& column : result.taken)
    if (mapping.current && column.channel == "effort") {
      column.channel = "current";
      column.unit = "A";
    }
  noteFactors("position", mapping.position, mapping.joints, result.notes);
  noteFactors("velocity", mapping.velocity, mapping.joints, result.notes);
  noteFactors("effort", mapping.effort, mapping.joints, result.notes);
  noteFactors("current", mapping.current, mapping.joints, result.notes);
}

}  // namespace dynid
