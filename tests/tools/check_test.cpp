// The table of formulations that `check` prints, and its exit status.
#include "dynid/core/files.h"
#include "dynid/formulations/formulation_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::HasSubstr;

TEST(Check, PrintsEveryFormulation) {
  const Outcome text = dynid({"check", "datasets/quickstart/arm.toml"});
  EXPECT_EQ(text.status, 0) << text.err;
  const Outcome json = dynid({"check", "datasets/quickstart/arm.toml", "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  const nlohmann::json rows = nlohmann::json::parse(json.out).at("formulations");
  const std::vector<Formulation> forms = allFormulations();
  ASSERT_EQ(rows.size(), forms.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    EXPECT_THAT(text.out, HasSubstr(forms[i].name));
    EXPECT_EQ(rows[i].at("name"), forms[i].name);
    EXPECT_EQ(rows[i].at("computes"), toString(forms[i].computes));
    EXPECT_EQ(rows[i].at("tolerance"), forms[i].tolerance);
    if (rows[i].at("applies"))
      EXPECT_LE(rows[i].at("max_relative_disagreement"), forms[i].tolerance) << forms[i].name;
    else
      EXPECT_THAT(text.out,
                  HasSubstr("does not apply: " + rows[i].at("reason").get<std::string>()));
  }
}

TEST(Check, AFloatingBaseHasItsRows) {
  const TemporaryDirectory directory;
  writeTextFile(directory / "arm.toml",
                "urdf = \"" DYNID_SOURCE_DIR
                "/datasets/quickstart/arm.urdf\"\nbase = \"floating\"\n");
  const Outcome json = dynid({"check", directory / "arm.toml", "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  const nlohmann::json check = nlohmann::json::parse(json.out);
  for (const nlohmann::json& row : check.at("formulations"))
    EXPECT_TRUE(row.at("applies")) << row.at("name");
  // The wrench of the base determines all ten parameters of a free body, each revolute joint seven
  // more.
  EXPECT_EQ(check.at("base_parameters").at("count"), 10 + 7 * 6);
  EXPECT_EQ(check.at("identifiability").size(), 7U);
}

TEST(Check, ASingleLimitIsSaid) {
  const TemporaryDirectory directory;
  std::string urdf = "<robot name=\"r\"><link name=\"l0\"/>";
  const std::vector<std::string> limits = {"lower=\"-0.4\" upper=\"1e9\"",
                                           "lower=\"-1e9\" upper=\"0.7\"",
                                           "lower=\"-0.4\" upper=\"0.7\""};
  for (size_t i = 0; i < limits.size(); ++i) {
    const std::string n = std::to_string(i + 1);
    urdf +=
        "<link name=\"l" + n + "\"><inertial><mass value=\"2\"/><inertia ixx=\"0.1\" ixy=\"0\" " +
        "ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial></link><joint name=\"j" + n +
        "\" type=\"revolute\"><parent link=\"l" + std::to_string(i) + "\"/><child link=\"l" + n +
        "\"/><axis xyz=\"0 1 0\"/><limit velocity=\"2\" effort=\"5\" " + limits[i] + "/></joint>";
  }
  writeTextFile(directory / "r.urdf", urdf + "</robot>");
  const Outcome text = dynid({"check", directory / "r.urdf"});
  EXPECT_THAT(text.out, HasSubstr("moves l1, -0.4 rad .. no upper limit, 2 rad/s"));
  EXPECT_THAT(text.out, HasSubstr("moves l2, no lower limit .. 0.7 rad, 2 rad/s"));
  EXPECT_THAT(text.out, HasSubstr("moves l3, -0.4 .. 0.7 rad, 2 rad/s"));
}

TEST(Check, AFreeBodyIsARobotToo) {
  const TemporaryDirectory directory;
  writeTextFile(directory / "body.urdf",
                "<robot name=\"body\"><link name=\"base\"><inertial><mass value=\"2\"/>"
                "<inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/>"
                "</inertial></link></robot>");
  writeTextFile(directory / "body.toml", "urdf = \"body.urdf\"\nbase = \"floating\"\n");
  const Outcome json = dynid({"check", directory / "body.toml", "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(nlohmann::json::parse(json.out).at("base_parameters").at("count"), 10);
}

}  // namespace
}  // namespace dynid
