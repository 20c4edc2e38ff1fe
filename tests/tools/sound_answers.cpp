#include "tools/sound_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dynid {

using ::testing::AnyOf;

void expectSoundAnswers(const TemporaryDirectory& desk,
                        const std::string& log,
                        const std::string& model) {
  const std::string arm = "datasets/quickstart/arm.toml";
  const Outcome inspect = dynid({"inspect", log, "--robot", arm, "--json"});
  EXPECT_THAT(inspect.status, AnyOf(0, 1, 3)) << inspect.err;
  const Outcome identify =
      dynid({"identify", "--robot", arm, log, "--output", desk / "identified.json", "--quiet"});
  EXPECT_THAT(identify.status, AnyOf(0, 1, 3)) << identify.err;
  const Outcome validate =
      dynid({"validate", "--model", model, log, "--output", desk / "p.h5", "--quiet"});
  EXPECT_THAT(validate.status, AnyOf(0, 1, 3)) << validate.err;
  EXPECT_EQ(inspect.status == 0, identify.status != 3)
      << "inspect: " << inspect.status << inspect.err << "\nidentify: " << identify.err;
  if (inspect.status == 0) {
    EXPECT_NE(validate.status, 3) << validate.err;
  }
  for (const Outcome* run : {&inspect, &identify, &validate}) {
    if (run->status == 3) {
      EXPECT_NE(run->err, "");
    }
  }
}

}  // namespace dynid
