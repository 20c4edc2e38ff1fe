// Many logs: named by patterns and lists, processed by several processes.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Fleet : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory_symlink(std::string(DYNID_SOURCE_DIR) + "/datasets",
                                              desk_ / "datasets");
    for (const std::string seed : {"1", "2", "3"})
      ASSERT_EQ(
          run("simulate datasets/quickstart/arm.toml --duration 20 --effort-noise-relative 0.02 "
              "--encoder-step 1e-5 --seed " +
              seed + " --output run" + seed + ".h5 --quiet")
              .status,
          0);
  }
  Outcome run(const std::string& arguments, unsigned long open_files_limit = 0) const {
    RunOptions options;
    options.directory = desk_ / "";
    options.open_files_limit = open_files_limit;
    return dynid(argumentsOf("dynid " + arguments), options);
  }
  nlohmann::json model(const std::string& file) const {
    return nlohmann::json::parse(readTextFile(desk_ / file));
  }

  TemporaryDirectory desk_;
  const std::string identify_ = "identify --robot datasets/quickstart/arm.toml --quiet ";
};

TEST_F(Fleet, APatternAndAListNameTheSameLogs) {
  EXPECT_EQ(run(identify_ + "run*.h5 --output pattern.json").status, 0);
  writeTextFile(desk_ / "logs.txt", "# a fleet\nrun1.h5\n  run2.h5 # of Tuesday\n\nrun3.h5\n");
  EXPECT_EQ(run(identify_ + "--log-list logs.txt --output list.json").status, 0);
  EXPECT_EQ(model("pattern.json").at("provenance").at("logs"),
            model("list.json").at("provenance").at("logs"));
  EXPECT_EQ(model("pattern.json").at("provenance").at("logs").size(), 3U);
  EXPECT_EQ(run(identify_ + "run3.h5 run1.h5 run2.h5 --output other_order.json").status, 0);
  EXPECT_EQ(model("pattern.json").at("base_parameters"),
            model("other_order.json").at("base_parameters"));
  const Outcome nothing = run(identify_ + "walk*.h5");
  EXPECT_EQ(nothing.status, 3);
  EXPECT_THAT(nothing.err, HasSubstr("no file matches \"walk*.h5\""));
}

TEST_F(Fleet, MoreLogsThanFilesMayBeOpen) {
  ASSERT_EQ(run("simulate datasets/quickstart/arm.toml --duration 6 --base space --bodies tool0 "
                "--effort-noise-relative 0.02 --output base.h5 --quiet")
                .status,
            0);
  for (int i = 0; i < 30; ++i)
    std::filesystem::copy_file(desk_ / "base.h5", desk_ / ("copy" + std::to_string(i) + ".h5"));
  const Outcome many = run(identify_ + "copy*.h5 --output many.json", 24);
  EXPECT_EQ(many.status, 0) << many.err;
  EXPECT_EQ(model("many.json").at("provenance").at("logs").size(), 30U);
  const Outcome validated = run("validate --quiet --model many.json copy*.h5", 24);
  EXPECT_EQ(validated.status, 0) << validated.err;
}

TEST_F(Fleet, APatternNamesStatistics) {
  for (const std::string log : {"run1", "run2"})
    ASSERT_EQ(run(identify_ + log + ".h5 --save-statistics part-" + log + ".h5 --output part.json")
                  .status,
              0);
  EXPECT_EQ(run(identify_ + "--statistics part-*.h5 --output all.json").status, 0);
  EXPECT_EQ(model("all.json").at("provenance").at("logs").size(), 2U);
  const Outcome nothing = run(identify_ + "--statistics walk*.h5");
  EXPECT_EQ(nothing.status, 3);
  EXPECT_THAT(nothing.err, HasSubstr("--statistics: no file matches \"walk*.h5\""));
}

TEST_F(Fleet, ManyStatisticsAddUpBlockByBlock) {
  const std::string few_blocks = identify_ + "--blocks 8 ";
  for (const std::string log : {"run1", "run2", "run3"}) {
    ASSERT_EQ(
        run(few_blocks + log + ".h5 --output part.json --save-statistics " + log + "-0.h5").status,
        0);
    for (const std::string copy : {"-1.h5", "-2.h5", "-3.h5"})  // neighbours share blocks
      std::filesystem::copy_file(desk_ / (log + "-0.h5"), desk_ / (log + copy));
  }
  EXPECT_EQ(run(few_blocks + "--statistics run?-?.h5 --output direct.json").status, 0);
  EXPECT_EQ(run(few_blocks + "--statistics run?-[0-1].h5 --output half.json "
                             "--save-statistics half.h5")
                .status,
            0);
  EXPECT_EQ(run(few_blocks + "--statistics half.h5 --statistics run?-[2-3].h5 --output again.json")
                .status,
            0);
  const nlohmann::json direct = model("direct.json"), again = model("again.json");
  EXPECT_EQ(direct.at("provenance").at("logs").size(), 12U);
  EXPECT_EQ(again.at("provenance").at("logs").size(), 12U);
  EXPECT_EQ(direct.at("fit").at("samples"), again.at("fit").at("samples"));
  EXPECT_EQ(direct.at("fit").at("samples"),
            4.0 * model("part.json").at("fit").at("samples").get<double>() * 3.0)
      << "logs of equal length";
  ASSERT_EQ(direct.at("base_parameters").size(), again.at("base_parameters").size());
  for (size_t i = 0; i < direct.at("base_parameters").size(); ++i) {
    const auto& a = direct.at("base_parameters")[i];
    EXPECT_NEAR(a.at("value"),
                again.at("base_parameters")[i].at("value"),
                1e-3 * a.at("std_dev").get<double>())
        << a.at("name");
  }
}

TEST_F(Fleet, EveryLogThatCannotBeUsedIsNamed) {
  writeTextFile(desk_ / "run4.h5", "no HDF5");
  writeTextFile(desk_ / "run5.h5", "nor this");
  const Outcome identified = run(identify_ + "run*.h5 --output none.json");
  EXPECT_EQ(identified.status, 3);
  EXPECT_THAT(identified.err, AllOf(HasSubstr("run4.h5: "), HasSubstr("run5.h5: ")));
  EXPECT_FALSE(std::filesystem::exists(desk_ / "none.json"));
  const Outcome validated = run("validate --robot datasets/quickstart/arm.toml run*.h5");
  EXPECT_EQ(validated.status, 3);
  EXPECT_THAT(validated.err, AllOf(HasSubstr("run4.h5: "), HasSubstr("run5.h5: ")));
  EXPECT_THAT(validated.out, HasSubstr("run3.h5: ")) << "the others are scored";
  const nlohmann::json json = nlohmann::json::parse(
      run("validate --json --robot datasets/quickstart/arm.toml run*.h5").out);
  EXPECT_EQ(json.at("verdict"), "failed");
  EXPECT_EQ(json.at("logs").size(), 3U);
  EXPECT_EQ(json.at("unusable").size(), 2U);
}

TEST_F(Fleet, FourProcessesGiveTheModelOfOne) {
#ifndef DYNID_MPI
  GTEST_SKIP() << "built without DYNID_MPI";
#else
  ASSERT_EQ(run(identify_ + "run*.h5 --output one.json").status, 0);
  const std::string inside = "cd '" + (desk_ / "") +
                             "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                             "mpirun --timeout 120 --oversubscribe -n 4 '" DYNID_PROGRAM "' " +
                             identify_;
  ASSERT_EQ(
      std::system((inside + "--threads 1 run1.h5 run2.h5 run3.h5 --output four.json").c_str()), 0);
  const nlohmann::json one = model("one.json"), four = model("four.json");
  ASSERT_EQ(one.at("base_parameters").size(), four.at("base_parameters").size());
  for (size_t i = 0; i < one.at("base_parameters").size(); ++i) {
    const auto& a = one.at("base_parameters")[i];
    const auto& b = four.at("base_parameters")[i];
    EXPECT_NEAR(a.at("value"), b.at("value"), 1e-8 * a.at("std_dev").get<double>())
        << a.at("name");  // order of additions
  }
  EXPECT_EQ(one.at("fit").at("samples"), four.at("fit").at("samples"));
  EXPECT_NE(std::system((inside + "nothere.h5 --output none.json 2>/dev/null").c_str()), 0)
      << "a failure ends all processes";
#endif
}

}  // namespace
}  // namespace dynid
