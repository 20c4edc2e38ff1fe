// Model files that the program writes, as other programs read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/python.h"
#include "tools/child_process.h"
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using dynid::testing::pythonHas;
using dynid::testing::runPython;

std::string dataset(const std::string& name) {
  return std::string(DYNID_DATASETS_DIR) + "/" + name;
}

TEST(ModelFile, EveryIdentifiedModelFitsTheSchema) {
  if (!pythonHas("jsonschema")) GTEST_SKIP() << "python3-jsonschema is not installed";
  const TemporaryDirectory folder;
  const std::string check =
      std::string(DYNID_TESTS_DIR) + "/model/check_schema.py " + dataset("model.schema.json") + " ";
  for (const std::string robot : {"quickstart/arm", "four_bar/four_bar", "palletizer/palletizer"}) {
    const std::string log = dataset(robot.substr(0, robot.find('/')) + "/train.h5");
    const Outcome run = dynid({"identify",
                               "--robot",
                               dataset(robot + ".toml"),
                               log,
                               "--output",
                               folder / "model.json",
                               "--quiet"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto checked = runPython(check + folder / "model.json");
    EXPECT_EQ(checked.status, 0) << robot << ": " << checked.output;
  }
}

TEST(ModelFile, APredictorOfOthersAgreesWithValidate) {
  if (!pythonHas("h5py")) GTEST_SKIP() << "python3-h5py is not installed";
  const TemporaryDirectory folder;
  ASSERT_EQ(dynid({"identify",
                   "--robot",
                   dataset("quickstart/arm.toml"),
                   dataset("quickstart/train.h5"),
                   "--output",
                   folder / "m.json",
                   "--quiet"})
                .status,
            0);
  ASSERT_EQ(dynid({"simulate",
                   dataset("quickstart/arm.toml"),
                   "--acceleration",
                   "--duration",
                   "10",
                   "--output",
                   folder / "log.h5",
                   "--quiet"})
                .status,
            0);
  // Exit status 1: the log belongs to another robot than the model.
  dynid({"validate", "--model", folder / "m.json", folder / "log.h5", "--output", folder / "p.h5"});
  const auto compared = runPython(std::string(DYNID_TESTS_DIR) + "/tools/compare_prediction.py " +
                                  folder / "m.json " + folder / "log.h5 " + folder / "p.h5");
  ASSERT_EQ(compared.status, 0) << compared.output;
  for (const auto& difference : nlohmann::json::parse(compared.output))
    // Removed from two joints by the 2.5 Hz filter of the prediction: 2.6e-3.
    EXPECT_LT(difference.get<double>(), 5e-3) << "of the largest effort: " << compared.output;
}

}  // namespace
}  // namespace dynid
