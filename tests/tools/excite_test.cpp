#include "dynid/logs/trajectory_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "excite_desk.h"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using nlohmann::operator""_json_pointer;

using testing::HasSubstr;
using testing::Not;

TEST(Excite, WritesATrajectoryWithinItsLimits) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  const Outcome outcome = dynid(with(small(file),
                                     {"--json",
                                      "--csv",
                                      directory / "t.csv",
                                      "--ros",
                                      directory / "t.yaml",
                                      "--report",
                                      directory / "t.html"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(json["feasible"].get<bool>());
  EXPECT_LT(json["condition_number"].get<double>(), 1e3);
  EXPECT_EQ(json["seed"], 1);
  // Of the first link only the inertia about its vertical axis has an effect, together with what it
  // carries.
  const auto& shoulder = json["identifiability"]["shoulder"];
  EXPECT_EQ(shoulder["Izz"]["verdict"], "combination");
  EXPECT_EQ(shoulder["Izz"]["excitation"], "well");
  EXPECT_EQ(shoulder["m"]["verdict"], "none");
  for (const auto& entry : json["forecast"]) EXPECT_GT(entry["std_dev"].get<double>(), 0.0);
  ASSERT_EQ(json["limits"].size(), 3u);
  const TrajectoryFile t = readTrajectory(file);
  for (int j = 0; j < 3; ++j) {
    const auto& limits = json["limits"][t.joint_names[j]];
    EXPECT_GE(limits["position"][0], limits["position"][2]);
    EXPECT_LE(limits["position"][1], limits["position"][3]);
    for (const char* what : {"velocity", "acceleration", "effort"})
      EXPECT_LE(limits[what][0], limits[what][1]) << what;
    // The samples of the file are below the printed bounds.
    EXPECT_LE(t.position.col(j).maxCoeff(), limits["position"][1].get<double>() + 1e-12);
    EXPECT_LE(t.velocity.col(j).cwiseAbs().maxCoeff(), limits["velocity"][0].get<double>() + 1e-12);
    EXPECT_LE(t.acceleration.col(j).cwiseAbs().maxCoeff(),
              limits["acceleration"][0].get<double>() + 1e-12);
  }
  // From rest to rest.
  const Eigen::Index last = t.time.size() - 1;
  for (Eigen::Index row : {Eigen::Index{0}, last}) {
    EXPECT_LT(t.velocity.row(row).norm(), 1e-9);
    EXPECT_LT(t.acceleration.row(row).norm(), 1e-8);
  }
  std::ifstream csv(directory / "t.csv"), ros(directory / "t.yaml");
  std::string line;
  std::getline(csv, line);
  EXPECT_THAT(line, HasSubstr("time,joint_1.position"));
  std::getline(ros, line);
  EXPECT_EQ(line, "joint_names:");
  std::ifstream report(directory / "t.html");
  const std::string page{std::istreambuf_iterator<char>(report), {}};
  EXPECT_THAT(page, HasSubstr("acceleration of joint_3 between its limits"));
  EXPECT_THAT(page, HasSubstr("joint_2.coulomb"));
  EXPECT_THAT(page, HasSubstr("Izz: combination, excited well"));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST(Excite, FromRestWithoutLeads) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  auto arguments = with(small(file), {"--from-rest", "--max-jerk", "60"});
  arguments[5] = "3";  // harmonics
  const Outcome outcome = dynid(arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("from rest to rest, without leads"));
  const TrajectoryFile t = readTrajectory(file);
  EXPECT_FALSE(t.lead_in.has_value());
  EXPECT_NEAR(t.time(t.time.size() - 1), 10.0, 1e-12);
  for (Eigen::Index row : {Eigen::Index{0}, t.time.size() - 1}) {
    EXPECT_LT(t.velocity.row(row).norm(), 1e-12);
    EXPECT_LT(t.acceleration.row(row).norm(), 1e-11);
  }
  EXPECT_GT(t.velocity.cwiseAbs().maxCoeff(), 0.5);
  EXPECT_EQ(dynid(with(small(file), {"--from-rest", "--start", "0,0,0"})).status, 2);
}

// Lead-ins of 62.5 samples, without a rounding; a period of 1250.1 samples.
TEST(Excite, EveryStepIsThatOfTheRate) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  for (const bool leads : {true, false}) {
    auto arguments = with(small(file), {"--rate", "125"});
    arguments[5] = "3";        // harmonics
    arguments[7] = "10.0008";  // duration
    const std::vector<std::string> ends{"--start", "0,-1.57,1.57"};
    const Outcome outcome =
        dynid(with(arguments, leads ? ends : std::vector<std::string>{"--from-rest"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const TrajectoryFile t = readTrajectory(file);
    const Eigen::Index last = t.time.size() - 1;
    for (Eigen::Index i = 0; i <= last; ++i)
      ASSERT_EQ(t.time(i), static_cast<double>(i) / 125.0) << "leads: " << leads;
    const double end =
        leads ? t.lead_out->t0_s + t.lead_out->duration_s : 10.0008;  // of the motion
    EXPECT_NEAR(t.time(last), end, leads ? 1e-12 : 1.0 / 125.0);
    EXPECT_GE(t.time(last), end - 1e-12);
    EXPECT_EQ(t.velocity.row(last).norm(), 0.0);
  }
}

TEST(Excite, SaysThatAFloatingBaseIsTakenAtRest) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "arm.toml") << "urdf = \"" << DYNID_SOURCE_DIR
                                        << "/datasets/quickstart/arm.urdf\"\nbase = \"floating\"\n";
  auto arguments = small(directory / "t.h5");
  EXPECT_THAT(dynid(with(arguments, {"--force"})).out, Not(HasSubstr("base floats")));
  arguments[1] = directory / "arm.toml";
  EXPECT_THAT(dynid(with(arguments, {"--force"})).out,
              HasSubstr("note: the base floats: the motion, its efforts and the forecast are those "
                        "of a base at rest"));
}

TEST(Excite, SameSeedSameTrajectoryWhateverTheThreads) {
  const TemporaryDirectory directory;
  for (const auto& [name, threads] : {std::pair{"a.h5", "1"}, std::pair{"b.h5", "2"}}) {
    auto arguments = small(directory / name);
    arguments[9] = "2";  // starts
    ASSERT_EQ(dynid(with(arguments, {"--threads", threads, "--quiet"})).status, 0);
  }
  const TrajectoryFile a = readTrajectory(directory / "a.h5"),
                       b = readTrajectory(directory / "b.h5");
  EXPECT_EQ(a.fourier->a, b.fourier->a);
  EXPECT_EQ(a.fourier->offset, b.fourier->offset);
}

// The scatter of the results of `identify` on simulated logs agrees with the forecast; eight noise
// realisations.
void confirmForecast(const Desk& desk, size_t parameters) {
  const nlohmann::json designed = nlohmann::json::parse(desk.run(
      "dynid excite arm.toml --output e.h5 --starts 1 --harmonics 2 --duration 10 --periods 4 "
      "--noise 0.2 --rate 200 --json"));
  constexpr int kLogs = 8;
  std::map<std::string, std::vector<double>> values, deviations;
  for (int i = 1; i <= kLogs; ++i) {
    desk.run(
        "dynid simulate arm.toml --trajectory e.h5 --rate 200 --effort-noise 0.2 --acceleration "
        "--output r.h5 --quiet --seed " +
        std::to_string(i));
    desk.run("dynid identify --robot arm.toml r.h5 --output m.json --quiet --no-certificate");
    const nlohmann::json model = nlohmann::json::parse(desk.read("m.json"));
    for (const auto& p : model["base_parameters"]) {
      values[p["name"]].push_back(p["least_squares"]);  // the prior draws values together
      deviations[p["name"]].push_back(p["std_dev"]);
    }
  }
  double variance_ratio = 0.0, deviation_ratio = 0.0;
  for (const auto& p : designed["forecast"]) {
    const auto& found = values[p["name"]];
    ASSERT_EQ(found.size(), static_cast<size_t>(kLogs)) << p["name"];
    const double foretold = p["std_dev"];
    const double mean = std::accumulate(found.begin(), found.end(), 0.0) / kLogs;
    for (double value : found)
      variance_ratio += (value - mean) * (value - mean) / ((kLogs - 1) * foretold * foretold);
    for (double deviation : deviations[p["name"]]) deviation_ratio += deviation / foretold / kLogs;
  }
  const auto count = static_cast<double>(designed["forecast"].size());
  EXPECT_EQ(designed["forecast"].size(), parameters);
  EXPECT_EQ(values.size(), parameters);
  EXPECT_NEAR(deviation_ratio / count, 1.0, 0.1);
  // Standard deviation of an estimated standard deviation: 1/sqrt(2 * freedom), 5.3 % for 7 x 25;
  // two of these in addition to 10 %.
  const double freedom = (kLogs - 1) * count;
  EXPECT_NEAR(std::sqrt(variance_ratio / count), 1.0, 0.1 + 2.0 / std::sqrt(2.0 * freedom));
}

TEST(Excite, IdentifyConfirmsTheForecast) {
  const TemporaryDirectory directory;
  writeThreeJoints(directory);
  confirmForecast({directory}, 25);
}

// A vertical prismatic joint, and a link whose finger mimics it in the opposite direction with half
// the angle.
TEST(Excite, IdentifyConfirmsTheForecastOfPrismaticAndMimicJoints) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "lift.urdf") << R"(<robot name="lift">
<link name="base"/><link name="carriage"/><link name="hand"/><link name="finger"/>
<joint name="lift" type="prismatic"><parent link="base"/><child link="carriage"/>
<axis xyz="0 0 1"/><limit lower="0" upper="0.6" velocity="0.5" effort="0"/></joint>
<joint name="turn" type="revolute"><parent link="carriage"/><child link="hand"/>
<origin xyz="0.2 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="2" effort="0"/>
</joint><joint name="grip" type="revolute"><parent link="hand"/><child link="finger"/>
<origin xyz="0.3 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2" effort="0"/>
<mimic joint="turn" multiplier="-0.5"/></joint></robot>)";
  std::ofstream file(directory / "arm.toml");
  file << "urdf = \"lift.urdf\"\n";
  for (const char* joint : {"lift", "turn"})
    file << "[joint." << joint << "]\nfriction = [\"viscous\", \"coulomb\", \"offset\"]\n";
  file.close();
  confirmForecast({directory}, 12);
}

// A short log of an arbitrary motion, the trajectory designed to complement it, and both together.
TEST(Excite, StatisticsAndTheNextLogGiveWhatWasForetold) {
  const TemporaryDirectory directory;
  writeThreeJoints(directory);
  const Desk desk{directory};
  desk.run(
      "dynid simulate arm.toml --seed 5 --duration 30 --rate 200 --effort-noise 0.3 "
      "--acceleration --output a.h5 --quiet");
  desk.run(
      "dynid identify --robot arm.toml a.h5 --output a.json --save-statistics s.h5 --quiet "
      "--no-certificate");
  const nlohmann::json designed = nlohmann::json::parse(desk.run(
      "dynid excite arm.toml --output e.h5 --starts 1 --harmonics 2 --duration 10 --periods 4 "
      "--noise 0.3 --rate 200 --statistics s.h5 --json --report e.html"));
  EXPECT_THAT(desk.read("e.html"), HasSubstr("so far"));
  EXPECT_LT(designed["condition_number_with_statistics"], designed["condition_number"]);
  constexpr int kLogs = 4;
  double ratio = 0.0, before = 0.0;
  const auto deviations = [&](const char* file) {
    std::map<std::string, double> values;
    const nlohmann::json model = nlohmann::json::parse(desk.read(file));
    for (const auto& p : model["base_parameters"]) values[p["name"]] = p["std_dev"];
    return values;
  };
  std::map<std::string, double> earlier = deviations("a.json");
  for (int i = 1; i <= kLogs; ++i) {
    desk.run(
        "dynid simulate arm.toml --trajectory e.h5 --rate 200 --effort-noise 0.3 --acceleration "
        "--output r.h5 --quiet --seed " +
        std::to_string(i));
    desk.run(
        "dynid identify --robot arm.toml r.h5 --statistics s.h5 --output m.json --quiet "
        "--no-certificate");
    std::map<std::string, double> found = deviations("m.json");
    ASSERT_EQ(found.size(), designed["forecast"].size());
    for (const auto& p : designed["forecast"])
      ratio += found[p["name"]] / p["std_dev"].get<double>() / kLogs;
  }
  for (const auto& p : designed["forecast"]) {
    before += earlier[p["name"]] / p["std_dev_before"].get<double>();
    EXPECT_LT(p["std_dev"], p["std_dev_before"]);
  }
  const auto count = static_cast<double>(designed["forecast"].size());
  // The forecast takes the noise as white. identify measures the scatter of blocks, which is known
  // to 10 to 15 % from the 20 to 30 clusters of such a log.
  EXPECT_NEAR(ratio / count, 1.0, 0.15);
  EXPECT_NEAR(before / count, 1.0, 0.15);

  // Without --noise the noise of the logs is used, known to 4 % from 30 s.
  const nlohmann::json again = nlohmann::json::parse(desk.run(
      "dynid excite arm.toml --output e2.h5 --starts 1 --harmonics 2 --duration 10 --rate 200 "
      "--statistics s.h5 --json"));
  for (const double noise : again["noise"]) EXPECT_NEAR(noise, 0.3, 0.03);
}

// The robot is identified from a log eighty times as long, a payload from the short trajectory
// designed for it.
TEST(Excite, PayloadOnlyForetellsTheLoad) {
  const TemporaryDirectory directory;
  writeThreeJoints(directory);
  const Desk desk{directory};
  desk.run(
      "dynid excite arm.toml --output e.h5 --starts 1 --harmonics 2 --duration 10 --periods 40 "
      "--rate 200 --noise 0.3 --quiet");
  const auto know = [&](int seed) {
    desk.run(
        "dynid simulate arm.toml --trajectory e.h5 --rate 200 --effort-noise 0.3 --acceleration "
        "--output a.h5 --quiet --seed " +
        std::to_string(seed));
    desk.run(
        "dynid identify --robot arm.toml a.h5 --output a.json --save-statistics s.h5 --quiet "
        "--no-certificate");
  };
  know(1);
  const nlohmann::json designed = nlohmann::json::parse(
      desk.run("dynid excite arm.toml --payload-only tool0:1 --output p.h5 --starts 1 --rate 200 "
               "--noise 0.3 --json"));
  ASSERT_EQ(designed["forecast"].size(), 10U);
  double ratio = 0.0;
  // The error of the known robot, due to one noise realisation, would affect all ratios; that of
  // one short log of the payload scatters by 17 %.
  constexpr int kRobots = 4, kLogs = 4;
  for (int i = 0; i < kRobots * kLogs; ++i) {
    if (i > 0 && i % kLogs == 0) know(1 + i / kLogs);
    desk.run(
        "dynid simulate arm.toml --trajectory p.h5 --rate 200 --effort-noise 0.3 --acceleration "
        "--payload tool0:1 --output l.h5 --quiet --seed " +
        std::to_string(kRobots + 1 + i));
    // The forecast covers the periodic part only.
    desk.run(
        "dynid identify --robot arm.toml l.h5 --statistics s.h5 --output m.json --quiet "
        "--no-certificate");
    const nlohmann::json model = nlohmann::json::parse(desk.read("m.json"));
    for (const auto& p : model["base_parameters"])
      for (const auto& f : designed["forecast"]) {
        const std::string name = p["name"], known = f["name"];
        if (name.ends_with(".h5" + known.substr(known.find('.'))))
          ratio += p["std_dev"].get<double>() / f["std_dev"].get<double>() / (10 * kRobots * kLogs);
      }
  }
  EXPECT_NEAR(ratio, 1.0, 0.1);
}

// Distance of the arm's centre lines from the table (x 0.35 to 0.65, z 0.8 to 1), by its geometry.
double distanceFromTable(double shoulder, double elbow) {
  double smallest = INFINITY;
  const auto excerpt = [&](double x, double z) {
    const double dx = std::max(std::abs(x - 0.5) - 0.15, 0.0);
    const double dz = std::max(std::abs(z - 0.9) - 0.1, 0.0);
    smallest = std::min(smallest, std::hypot(dx, dz));
  };
  const double c = std::cos(shoulder), s = -std::sin(shoulder);
  const double c2 = std::cos(shoulder + elbow), s2 = -std::sin(shoulder + elbow);
  for (int i = 0; i <= 50; ++i) {
    excerpt(0.008 * i * c, 0.5 + 0.008 * i * s);
    excerpt(0.4 * c + 0.006 * i * c2, 0.5 + 0.4 * s + 0.006 * i * s2);
  }
  return smallest;
}

TEST(Excite, ThePartThatStandsInTheGroundIsNamedFirst) {
  const TemporaryDirectory directory;
  const Desk desk{directory};
  writePlanarArm(directory, "[ground]\nheight = 0.46\n");
  const std::string out = desk.run(kPlanar);
  EXPECT_THAT(out,
              ::testing::StartsWith("NOT CHECKED: upper and the ground; collisions with objects"));
  EXPECT_THAT(out, HasSubstr("limits = { effort = ... } under"));
}

TEST(Excite, ThePlanarArmKeepsClearOfTheTable) {
  const TemporaryDirectory directory;
  const Desk desk{directory};
  const auto closest = [&](const std::string& surroundings) {
    writePlanarArm(directory, surroundings);
    const nlohmann::json json = nlohmann::json::parse(desk.run(std::string(kPlanar) + "--json"));
    EXPECT_EQ(json.contains("space"), !surroundings.empty());
    EXPECT_GE(json.value("/space/closest"_json_pointer, 0.01), 0.01);
    const TrajectoryFile t = readTrajectory(directory / "t.h5");
    double smallest = INFINITY;
    for (Eigen::Index i = 0; i < t.time.size(); ++i)
      smallest = std::min(smallest, distanceFromTable(t.position(i, 0), t.position(i, 1)));
    return smallest;
  };
  EXPECT_EQ(closest(""), 0.0) << "the arm that knows of no table hits it";
  EXPECT_GE(closest(kTable), 0.05 + 0.01 - 1e-9);
}

}  // namespace
}  // namespace dynid
