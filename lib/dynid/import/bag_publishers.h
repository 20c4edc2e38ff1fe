#pragma once

#include "dynid/import/import_bag.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dynid {

/// Messages of one topic that come from one publisher (JointLayout::publisher), or from a sensor.
struct JointPublisher {
  size_t topic = 0;                ///< index in the survey
  std::vector<std::string> names;  ///< of the joints, sorted
  std::array<bool, 3> has{};       ///< position, velocity, effort; in some of the messages
  std::vector<size_t> layouts;     ///< indices among the layouts of the topic
  ClockSurvey clock;
  std::int64_t messages = 0, zero_stamps = 0;  ///< as StampSurvey
  bool advances = false, zero_means_unset = false;
  /// [ns] Least and greatest header stamp.
  std::int64_t first = std::numeric_limits<std::int64_t>::max(),
               last = std::numeric_limits<std::int64_t>::min();

  void addStamps(const StampSurvey& stamps) {
    messages += stamps.count;
    zero_stamps += stamps.zero;
    advances = advances || stamps.advances();
    zero_means_unset = zero_means_unset || stamps.zeroMeansUnset();
    first = std::min(first, stamps.zeroMeansUnset() ? stamps.least_set : stamps.min);
    last = std::max(last, stamps.max);
  }
};

/// Index of the named topic in the survey, the first one with an expected type.
/// @param fits    whether the kind of the topic is the expected one
/// @param option  setting that names the topic, for messages
/// @param type    expected type, for messages
/// @throws UsageError if there is no such topic or its messages have another type
size_t topicNamed(const BagSurvey& survey,
                  const std::string& name,
                  bool (*fits)(MessageKind),
                  const std::string& option,
                  const std::string& type);

/// Indices of the topics of joint states that are imported: the named ones, or the only one. Of a
/// JointState and a DynamicJointState topic, the former, unless only the latter has efforts.
/// @param notes  receives a note about a choice
/// @throws UsageError if several topics could be meant or one is named twice; InputError if there
///     is none
std::vector<size_t> jointTopics(const BagSurvey& survey,
                                const std::vector<std::string>& named,
                                std::vector<std::string>& notes);

/// The joint names of a layout's numbers; empty if the layout cannot be used.
std::vector<std::string> namesOf(const JointLayout& layout, const BagImportOptions& options);

/// @throws InputError or UsageError with the reason why no message of the topic can be used
[[noreturn]] void refuseLayouts(const BagSurvey& survey,
                                const TopicSurvey& topic,
                                const BagImportOptions& options);

/// The publishers of a topic of joint states.
/// @param number  index of the topic in the survey
/// @param notes   receives notes about messages that cannot be used
/// @throws InputError for joints without a name or named twice, and as refuseLayouts
std::vector<JointPublisher> publishersOf(const BagSurvey& survey,
                                         size_t number,
                                         const BagImportOptions& options,
                                         std::vector<std::string>& notes);

/// Requires that the messages of a source in one file were recorded after those in the file before.
/// @param topic  name of the topic of the source, for the message
/// @throws InputError otherwise
void requireConsecutiveFiles(const BagSurvey& survey,
                             const std::string& topic,
                             const ClockSurvey& clock);

}  // namespace dynid
