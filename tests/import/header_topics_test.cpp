#include "dynid/import/header_topics.h"

#include "import/imported_csv.h"
#include <fmt/format.h>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Tables of PlotJuggler, whose columns are called after topics.
class HeaderTopics : public Import {
 protected:
  /// Of two joints, by name or by number, with 10 ms between the rows.
  std::vector<std::string> warningsOf(const std::string& positions,
                                      const std::string& efforts,
                                      bool by_number) const {
    std::string header = "__time";
    for (const auto& [topic, word] :
         {std::pair{positions, "position"}, std::pair{efforts, "effort"}})
      for (const char* joint : {"pan", "lift"})
        header += by_number ? fmt::format(",{}/{}[{}]", topic, word, joint[0] == 'l' ? 1 : 0)
                            : fmt::format(",{}/{}/{}", topic, joint, word);
    return import(header + "\n0.01,1,2,3,4\n0.02,1,2,3,4\n").warnings;
  }
};

TEST_F(HeaderTopics, EffortsOfAnotherTopic) {
  for (const bool by_number : {false, true}) {
    EXPECT_THAT(warningsOf("/arm/joint_states", "/arm/joint_states", by_number), IsEmpty());
    EXPECT_THAT(warningsOf("/left/joint_states", "/right/joint_states", by_number),
                ElementsAre("the efforts are those of /right/joint_states/, the positions those of "
                            "/left/joint_states/: nothing, if both are of the same joints; "
                            "otherwise assign the columns in a mapping file (`mapping`)"));
  }
}

TEST_F(HeaderTopics, TopicsOfCommands) {
  for (const bool by_number : {false, true})
    for (const char* topic : {"/joint_command", "/arm/joint_commands", "/ctrl/desired"})
      EXPECT_THAT(warningsOf("/joint_states", topic, by_number),
                  ElementsAre(fmt::format("the efforts are those of {}/, which seem to be "
                                          "commands: identify needs what was measured; assign "
                                          "other columns in a mapping file (`mapping`)",
                                          topic)));
}

TEST_F(HeaderTopics, NamesWithoutTopics) {
  EXPECT_THAT(import("t,pan/position,pan/effort\n0.01,1,2\n0.02,3,4\n").warnings, IsEmpty());
  EXPECT_THAT(import("t,pan_position,pan_effort\n0.01,1,2\n0.02,3,4\n").warnings, IsEmpty());
  EXPECT_THAT(import("t,/js/pan/position,/js/pan/effort\n0.01,1,2\n0.02,3,4\n").warnings,
              IsEmpty());
  EXPECT_THAT(import("t,q [rad/s],tau\n0.01,1,2\n0.02,3,4\n",
                     "[time]\ncolumn = 1\n[position]\ncolumns = 2\nunit = \"rad\"\n[effort]\n"
                     "columns = 3\nunit = \"N m\"\n")
                  .warnings,
              IsEmpty());
}

}  // namespace
}  // namespace dynid
