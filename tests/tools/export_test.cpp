// Models in the formats of other programs, by the command line.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/quickstart_files.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Export, IdentifyWritesEveryFormatAndSaysWhatEachCosts) {
  const TemporaryDirectory folder;
  const Outcome run = dynid({"identify",
                             "--robot",
                             (kQuickstart + "arm.toml"),
                             (kQuickstart + "train.h5"),
                             "--output",
                             folder / "m.json",
                             "--urdf",
                             folder / "a.urdf",
                             "--mjcf",
                             folder / "a.xml",
                             "--sdf",
                             folder / "a.sdf",
                             "--c",
                             folder / "a.c"});
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* name : {"a.urdf", "a.xml", "a.sdf", "a.c", "a.h"})
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("a.urdf: a URDF cannot represent joint_1.drive_inertia"),
                    HasSubstr("(without it the torque error is "),
                    HasSubstr("a.urdf: torque error on the training logs (200 samples): model ")));

  // The same files from the saved model.
  const Outcome again = dynid({"export",
                               folder / "m.json",
                               "--urdf",
                               folder / "b.urdf",
                               "--mjcf",
                               folder / "b.xml",
                               "--sdf",
                               folder / "b.sdf",
                               "--json"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(readTextFile(folder / "a.urdf"), readTextFile(folder / "b.urdf"));
  EXPECT_EQ(readTextFile(folder / "a.xml"), readTextFile(folder / "b.xml"));
  EXPECT_EQ(readTextFile(folder / "a.sdf"), readTextFile(folder / "b.sdf"));
  const auto json = nlohmann::json::parse(again.out);
  ASSERT_EQ(json.at("files").size(), 3U);
  const auto& urdf = json.at("files").at(0).at("cost");
  const auto& mjcf = json.at("files").at(1).at("cost");
  EXPECT_EQ(urdf.at("operating_points"), 200);
  // The quickstart's drives have a large inertia: without it the torques are wrong, with it right.
  EXPECT_LT(urdf.at("relative_error_model").get<double>(), 0.05);
  EXPECT_GT(urdf.at("relative_error_file").get<double>(),
            2.0 * urdf.at("relative_error_model").get<double>());
  EXPECT_LT(mjcf.at("relative_error_file").get<double>(),
            urdf.at("relative_error_file").get<double>());
  EXPECT_LT(json.at("files").at(2).at("max_relative_disagreement").get<double>(), 1e-9);
}

TEST(Export, OutputsFollowTheCommonRules) {
  const TemporaryDirectory folder;
  const Outcome nothing = dynid({"export", (kQuickstart + "model.json")});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("add --urdf, --mjcf, --sdf or --c with a file"));
  const Outcome twice = dynid({"export",
                               (kQuickstart + "model.json"),
                               "--urdf",
                               folder / "x.xml",
                               "--mjcf",
                               folder / "x.xml"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr("two results would be written to this file"));
  const Outcome ending = dynid({"export", (kQuickstart + "model.json"), "--c", folder / "arm.cpp"});
  EXPECT_EQ(ending.status, 2);
  EXPECT_THAT(ending.err, HasSubstr("expected a name that ends in .c"));
  const Outcome nowhere =
      dynid({"export", (kQuickstart + "model.json"), "--sdf", folder / "missing/a.sdf"});
  EXPECT_EQ(nowhere.status, 4);
  writeTextFile(folder / "a.sdf", "old");
  const Outcome over = dynid({"export", (kQuickstart + "model.json"), "--sdf", folder / "a.sdf"});
  EXPECT_EQ(over.status, 0) << over.err;
  EXPECT_THAT(readTextFile(folder / "a.sdf"), HasSubstr("<sdf version=\"1.9\">"));
}

TEST(Export, TheDescriptionOfTheModelIsNotReplaced) {
  const TemporaryDirectory folder;
  const std::string original = readTextFile(kQuickstart + "arm.urdf");
  writeTextFile(folder / "arm.urdf", original);
  const Outcome run =
      dynid({"export", (kQuickstart + "model.json"), "--urdf", folder / "arm.urdf"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("arm.urdf is the robot description from which the model was"));
  EXPECT_EQ(readTextFile(folder / "arm.urdf"), original);
  // A file that was exported before is replaced.
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(dynid({"export", (kQuickstart + "model.json"), "--urdf", folder / "b.urdf"}).status,
              0);
}

TEST(Export, AMechanismWithLoopsIsCutOpenOrRefused) {
  const TemporaryDirectory folder;
  const std::string robot = std::string(DYNID_DATASETS_DIR) + "/four_bar/";
  ASSERT_EQ(dynid({"identify",
                   "--robot",
                   robot + "four_bar.toml",
                   robot + "train.h5",
                   "--output",
                   folder / "m.json",
                   "--quiet"})
                .status,
            0);
  const Outcome mjcf = dynid({"export", folder / "m.json", "--mjcf", folder / "m.xml"});
  EXPECT_EQ(mjcf.status, 0) << mjcf.err;
  EXPECT_THAT(mjcf.err, HasSubstr("an MJCF cannot represent closed chains"));
  const Outcome code = dynid({"export", folder / "m.json", "--c", folder / "m.c"});
  EXPECT_EQ(code.status, 3);
  EXPECT_THAT(code.err, HasSubstr("closed loops are solved iteratively"));
  EXPECT_FALSE(std::filesystem::exists(folder / "m.h"));
}

}  // namespace
}  // namespace dynid
