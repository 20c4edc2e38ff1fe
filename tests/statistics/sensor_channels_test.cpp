#include "dynid/statistics/sensor_channels.h"

#include "dynid/core/errors.h"
#include "dynid/robot/root_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr int kRows = 801;

/// The six channels of the only sensor of a log.
struct Sensor {
  double rows = 0.0;      ///< of the first channel
  double residual = 0.0;  ///< of least squares over all six, relative to the measured values
};

class SensorChannels : public testing::Test {
 protected:
  /// A log with a payload of unknown inertia behind a sensor.
  fs::path weighed(double encoder_step = 0.0) const {
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.encoder_step = encoder_step;
    simulation.bodies = {"tool0"};
    simulation.payload = PayloadNote{"tool0", "", 1.7, std::nullopt, std::nullopt};
    fs::path log = arm_.log("log.h5", simulation);
    const hid_t file = H5Fopen(log.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(H5Ldelete(file, "payload/mass", H5P_DEFAULT), 0);
    H5Fclose(file);
    return log;
  }

  Regression gathered(const fs::path& log, bool force = false) const {
    OpenOptions options;
    options.force = force;
    GatherOptions with_sensor = arm_.options();
    with_sensor.equations.with_bodies = true;
    return gather(
        openRecordings(arm_.robot, {{log, ""}}, {}, options), arm_.effects(), with_sensor);
  }

  Sensor sensor(const fs::path& log, bool force = false) const {
    const Regression regression = gathered(log, force);
    const std::vector<ChannelStatistics>& channels = regression.statistics->channels;
    const int first = arm_.robot->numJoints();
    EXPECT_EQ(std::ssize(channels), first + 6);
    Eigen::MatrixXd gram = gramOf(channels[first]);
    for (int k = 1; k < 6; ++k) gram += gramOf(channels[first + k]);
    const Eigen::Index p = gram.rows() - 1;
    const Eigen::MatrixXd A = gram.topLeftCorner(p, p);
    const Eigen::VectorXd b = gram.col(p).head(p);
    const double left = gram(p, p) - b.dot(A.completeOrthogonalDecomposition().solve(b));
    return {regression.statistics->movingRows(first),
            std::sqrt(std::max(0.0, left) / std::max(gram(p, p), 1e-300))};
  }

  const SimulatedArm arm_{"sensor_channels"};
};

// The wrench is exact: any made-up sample would show in the residual.
TEST_F(SensorChannels, MissingRowsAreNotMadeUp) {
  for (const char* channel : {"wrench", "angular_velocity", "linear_acceleration"})
    for (const auto& [first, end] : {std::pair{400, kRows}, {0, 300}, {200, 500}}) {
      SCOPED_TRACE(std::string(channel) + " from row " + std::to_string(first));
      const fs::path log = weighed();
      const Sensor whole = sensor(log);
      EXPECT_NEAR(whole.rows, kRows, 8);
      EXPECT_LT(whole.residual, 1e-5);
      loseRows(log, std::string("bodies/tool0/") + channel, first, end);
      const Sensor rest = sensor(log);
      EXPECT_NEAR(rest.rows, kRows - (end - first), 8);
      EXPECT_LT(rest.residual, 1e-3);  // differences at the ends of a section are less accurate
    }
}

// With filters, a section without samples must not reach into its neighbours.
TEST_F(SensorChannels, MissingRowsDoNotSpreadThroughTheFilters) {
  const fs::path log = weighed(1e-5);
  const Sensor whole = sensor(log);
  loseRows(log, "bodies/tool0/wrench", 200, 500);
  const Sensor rest = sensor(log);
  EXPECT_LT(rest.rows, 0.7 * whole.rows);
  EXPECT_GT(rest.rows, 0.5 * whole.rows);
  EXPECT_LT(rest.residual, 3.0 * whole.residual + 1e-3);
}

TEST_F(SensorChannels, ShortHolesAreInterpolated) {
  const fs::path log = weighed();
  for (const int row : {100, 333, 600}) loseRows(log, "bodies/tool0/wrench", row, row + 3);
  const Sensor sensed = sensor(log);
  EXPECT_NEAR(sensed.rows, kRows, 8);
  EXPECT_LT(sensed.residual, 1e-3);
}

// The equations of the joints do not need the sensor.
TEST_F(SensorChannels, TheJointsKeepTheirRows) {
  const fs::path log = weighed();
  const Regression before = gathered(log);
  loseRows(log, "bodies/tool0/wrench", 400, kRows);
  const Regression after = gathered(log);
  for (int a = 0; a < arm_.robot->numJoints(); ++a)
    EXPECT_EQ(gramOf(before.statistics->channels[a]), gramOf(after.statistics->channels[a]));
  EXPECT_THAT(before.use[0].sensor_notes, testing::IsEmpty());
  EXPECT_THAT(after.use[0].sensor_notes,
              testing::ElementsAre("bodies/tool0: 401 rows dropped: NaN or Inf"));
}

TEST_F(SensorChannels, ASensorWithoutAnySampleIsRefused) {
  const fs::path log = weighed();
  loseRows(log, "bodies/tool0/wrench", 0, kRows);
  EXPECT_THAT([&] { sensor(log); },
              testing::ThrowsMessage<InputError>(
                  testing::AllOf(HasSubstr("bodies/tool0: 801 of 801 rows (100 %) hold NaN"),
                                 HasSubstr("delete bodies/tool0 from the log"))));
  EXPECT_EQ(sensor(log, true).rows, 0.0);
}

}  // namespace
}  // namespace dynid
