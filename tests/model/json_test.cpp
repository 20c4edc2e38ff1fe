#include "dynid/model/json.h"

#include "dynid/consistency/certificate.h"
#include "dynid/core/errors.h"
#include "dynid/model/json_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace dynid {
namespace {

using dynid::testing::syntheticModel;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Compares bit by bit, so that -0.0 and the last digit are included.
template <typename A, typename B>
void expectSameBits(const Eigen::DenseBase<A>& a, const Eigen::DenseBase<B>& b, const char* what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const double x = a(i, j), y = b(i, j);
      if (std::isnan(x) && std::isnan(y)) continue;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y))
          << what << " (" << i << ", " << j << ")";
    }
}

void expectSameCertificate(const Certificate& a, const Certificate& b) {
  EXPECT_EQ(a.bodies, b.bodies);
  expectSameBits(a.A, b.A, "A");
  expectSameBits(a.b, b.b, "b");
  EXPECT_EQ(a.c0, b.c0);
  ASSERT_EQ(a.whitening.size(), b.whitening.size());
  for (size_t k = 0; k < a.whitening.size(); ++k)
    expectSameBits(a.whitening[k], b.whitening[k], "whitening");
  expectSameBits(a.scalar_scales, b.scalar_scales, "scalar_scales");
  EXPECT_EQ(a.margin, b.margin);
  expectSameBits(a.a, b.a, "a");
  EXPECT_EQ(a.T, b.T);
  expectSameBits(a.C, b.C, "C");
  expectSameBits(a.d, b.d, "d");
  expectSameBits(a.x, b.x, "x");
  expectSameBits(a.u, b.u, "u");
  expectSameBits(a.nu, b.nu, "nu");
  EXPECT_EQ(a.z_squared, b.z_squared);
}

std::string errorOf(const std::string& text) {
  try {
    modelFromJson(text, "m.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The file of the synthetic model with one change.
template <typename Change>
std::string changed(const Change& change) {
  Json document = Json::parse(toJson(syntheticModel()));
  change(document);
  return errorOf(formatJson(document));
}

TEST(Json, SecondWritingIsTheSameText) {
  const std::string once = toJson(syntheticModel());
  EXPECT_EQ(toJson(modelFromJson(once, "m.json")), once);
}

TEST(Json, ParametersAndLayoutReloadToTheSameBits) {
  Model model = syntheticModel();
  model.parameters(3) = -0.0;
  model.parameters(5) = 5e-324;
  const Model again = modelFromJson(toJson(model), "m.json");
  expectSameBits(again.parameters, model.parameters, "parameters");
  expectSameBits(again.drive_gains, model.drive_gains, "drive_gains");
  expectSameBits(again.drive_gain_std_dev, model.drive_gain_std_dev, "drive_gain_std_dev");
  ASSERT_EQ(again.layout.size(), model.layout.size());
  for (int i = 0; i < model.layout.size(); ++i) {
    const Column &a = again.layout[i], &b = model.layout[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind) << b.name;
    EXPECT_EQ(a.owner, b.owner) << b.name;
    EXPECT_EQ(a.component, b.component) << b.name;
    EXPECT_EQ(a.effect, b.effect) << b.name;
    EXPECT_EQ(a.shape, b.shape) << b.name;
    EXPECT_EQ(a.position_effect, b.position_effect) << b.name;
    EXPECT_EQ(a.presliding, b.presliding) << b.name;
    EXPECT_EQ(a.smoothing, b.smoothing) << b.name;
    EXPECT_EQ(a.at_joint, b.at_joint) << b.name;
    EXPECT_EQ(a.carrier, b.carrier) << b.name;
    EXPECT_EQ(a.unit, b.unit) << b.name;
    EXPECT_EQ(a.nonnegative, b.nonnegative) << b.name;
    const auto k = static_cast<size_t>(i);
    EXPECT_EQ(again.verdicts[k].identifiability, model.verdicts[k].identifiability) << b.name;
    EXPECT_EQ(again.verdicts[k].excitation, model.verdicts[k].excitation) << b.name;
    EXPECT_EQ(again.verdicts[k].seen_in, model.verdicts[k].seen_in) << b.name;
  }
}

TEST(Json, FitsOfWrenchSensorsReload) {
  Model model = syntheticModel();
  EXPECT_EQ(toJson(model).find("per_sensor"), std::string::npos);
  SensorFit plate{"base/wrench", 0.25, 0.5, -1.0};
  plate.samples = 300.0;
  model.fit.per_sensor = {plate};
  const Model again = modelFromJson(toJson(model), "m.json");
  ASSERT_EQ(again.fit.per_sensor.size(), 1U);
  EXPECT_EQ(again.fit.per_sensor[0].channel, "base/wrench");
  EXPECT_EQ(again.fit.per_sensor[0].force_error, 0.25);
  EXPECT_EQ(again.fit.per_sensor[0].moment_error, 0.5);
  EXPECT_EQ(again.fit.per_sensor[0].force_factor, -1.0);
  EXPECT_TRUE(std::isnan(again.fit.per_sensor[0].moment_factor));
  EXPECT_EQ(again.fit.per_sensor[0].samples, 300.0);
}

TEST(Json, EverythingElseReloads) {
  const Model model = syntheticModel();
  const Model again = modelFromJson(toJson(model), "m.json");
  EXPECT_TRUE(again.status.usable);
  EXPECT_EQ(again.status.reason, model.status.reason);
  EXPECT_EQ(again.robot->sha256, model.robot->sha256);
  EXPECT_EQ(again.robot->ignored_joints, model.robot->ignored_joints);
  EXPECT_EQ(again.robot->T, model.robot->T);
  EXPECT_EQ(again.signals.cutoff_hz, 7.5);
  expectSameBits(again.signals.ramp_speed, model.signals.ramp_speed, "ramp");
  expectSameBits(again.signals.effort_delay, model.signals.effort_delay, "delay");
  expectSameBits(again.signals.rigid_cutoff_hz, model.signals.rigid_cutoff_hz, "rigid");
  expectSameBits(again.signals.friction_cutoff_hz, model.signals.friction_cutoff_hz, "friction");
  EXPECT_EQ(again.fit.per_joint[0].cross_validated_r2, 0.95);
  EXPECT_EQ(again.base_parameters[1].std_dev, std::numeric_limits<double>::infinity());
  EXPECT_EQ(again.base_parameters[1].lower_95, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(again.base_parameters[0].expression, "upper.Iyy + 0.09 fore.m");
  expectSameBits(again.base_covariance, model.base_covariance, "covariance");
  ASSERT_EQ(again.payloads.size(), 1U);
  EXPECT_EQ(again.payloads[0].link, "hand");
  expectSameBits(again.payloads[0].parameters, model.payloads[0].parameters, "payload");
  EXPECT_EQ(again.fit.per_joint[2].sigma, 0.1);
  EXPECT_EQ(again.consistency.bounds[0].multiplier, 0.123456789);
  EXPECT_EQ(again.prior_source, model.prior_source);
  EXPECT_EQ(again.provenance.settings, model.provenance.settings);
  EXPECT_EQ(again.provenance.logs[0].notes, model.provenance.logs[0].notes);
  expectSameBits(again.provenance.logs[0].own_effort_delay,
                 model.provenance.logs[0].own_effort_delay,
                 "own delay");
  expectSameBits(again.consistency.x_first_stage, model.consistency.x_first_stage, "x1");
}

TEST(Json, CertificateReloadsToTheSameBits) {
  const Model model = syntheticModel();
  const Model again = modelFromJson(toJson(model), "m.json");
  EXPECT_TRUE(again.has_certificate);
  expectSameCertificate(again.consistency.certificate, model.consistency.certificate);
}

TEST(Json, WithoutCertificateTheKeyIsLeftOut) {
  Model model = syntheticModel();
  model.has_certificate = false;
  const std::string text = toJson(model);
  EXPECT_FALSE(Json::parse(text).at("consistency").contains("certificate"));
  EXPECT_FALSE(modelFromJson(text, "m.json").has_certificate);
}

/// Keys that programs which read models use (datasets/README.md).
constexpr const char* kDocumentedKeys[] = {"/status/usable",
                                           "/status/reason",
                                           "/robot/name",
                                           "/robot/description/urdf",
                                           "/robot/description/toml",
                                           "/robot/sha256",
                                           "/robot/joints",
                                           "/robot/gravity",
                                           "/base_parameters/0/name",
                                           "/base_parameters/0/expression",
                                           "/base_parameters/0/value",
                                           "/base_parameters/0/std_dev",
                                           "/base_parameters/0/relative_std_dev",
                                           "/base_parameters/0/interval_95/1",
                                           "/base_parameters/0/unit",
                                           "/covariance/1/1",
                                           "/links/upper/mass",
                                           "/links/upper/first_moment/2",
                                           "/links/upper/inertia/5",
                                           "/links/upper/identifiability/Ixx",
                                           "/links/upper/pseudo_inertia_min_eigenvalue",
                                           "/joints/shoulder/viscous",
                                           "/joints/shoulder/drive_inertia",
                                           "/joints/shoulder/drive_gain",
                                           "/joints/shoulder/stribeck_velocity",
                                           "/joints/elbow/spring",
                                           "/actuators/m5/viscous",
                                           "/actuators/m5/presliding_distance",
                                           "/actuators/m5/load_presliding_distance",
                                           "/actuators/m6/drive_gain",
                                           "/payloads/plate/link",
                                           "/payloads/plate/mass",
                                           "/payloads/plate/first_moment/0",
                                           "/payloads/plate/inertia/5",
                                           "/equations",
                                           "/fit/samples",
                                           "/fit/rows",
                                           "/fit/condition_number",
                                           "/fit/per_joint/wrist/rmse",
                                           "/fit/per_joint/wrist/relative_error",
                                           "/fit/per_joint/wrist/sigma",
                                           "/fit/relative_error",
                                           "/fit/objective_unconstrained",
                                           "/consistency/feasible",
                                           "/consistency/min_eigenvalue",
                                           "/consistency/objective_optimal",
                                           "/consistency/relative_duality_gap",
                                           "/consistency/margin",
                                           "/consistency/margin_cost",
                                           "/consistency/second_stage_cost",
                                           "/consistency/prior/hand",
                                           "/consistency/bounds/0/name",
                                           "/consistency/bounds/0/value",
                                           "/consistency/bounds/0/limit",
                                           "/consistency/bounds/0/active",
                                           "/consistency/bounds/0/multiplier",
                                           "/consistency/seconds",
                                           "/consistency/iterations",
                                           "/consistency/certificate/A",
                                           "/consistency/certificate/b",
                                           "/consistency/certificate/c0",
                                           "/consistency/certificate/whitening",
                                           "/consistency/certificate/a",
                                           "/consistency/certificate/T",
                                           "/consistency/certificate/C",
                                           "/consistency/certificate/d",
                                           "/consistency/certificate/x",
                                           "/consistency/certificate/u",
                                           "/consistency/certificate/nu",
                                           "/provenance/dynid_version",
                                           "/provenance/command",
                                           "/provenance/logs/0/file",
                                           "/provenance/logs/0/sha256",
                                           "/provenance/logs/0/samples",
                                           "/provenance/logs/0/used",
                                           "/provenance/logs/0/dropped",
                                           "/provenance/settings"};

TEST(Json, HoldsTheKeysThatOthersRelyOn) {
  const Json m = Json::parse(toJson(syntheticModel()));
  EXPECT_EQ(m.at("format"), "dynid-model");
  EXPECT_EQ(m.at("version"), 1);
  for (const char* path : kDocumentedKeys)
    EXPECT_TRUE(m.contains(Json::json_pointer(path))) << path;
  EXPECT_EQ(m.at("links").at("upper").at("mass").get<double>(), syntheticModel().parameters(0));
  EXPECT_EQ(m.at("fit").at("samples").dump(), "12345");
  EXPECT_TRUE(m.at("base_parameters").at(1).at("std_dev").is_null());
  EXPECT_EQ(m.at("base_parameters").at(0).at("combination").at(1).at("name"), "fore.m");
  EXPECT_EQ(m.at("robot").at("bodies").at(1).at("parent"), "upper");
  EXPECT_TRUE(m.at("actuators").at("m6").at("drive_gain").is_null());
  EXPECT_FALSE(m.at("joints").contains("elbow") && m.at("joints").at("elbow").contains("viscous"))
      << "friction of coupled joints belongs to the actuators";
}

TEST(Json, TextIsReadableAndHoldsNoNan) {
  const std::string text = toJson(syntheticModel());
  EXPECT_THAT(text, HasSubstr("\n  \"status\": {\n    \"usable\": true,"));
  EXPECT_EQ(text.find("NaN"), std::string::npos);
  EXPECT_EQ(text.find("nan,"), std::string::npos);
}

TEST(Json, NamesThatAreNotUtf8DoNotStopTheWriting) {
  Model model = syntheticModel();
  model.provenance.command = "dynid identify \xff.h5";
  EXPECT_THAT(toJson(model), HasSubstr("dynid identify \xEF\xBF\xBD.h5"));
}

TEST(Json, SaysWhereTheTextIsNotJson) {
  EXPECT_THAT(errorOf("{\n  \"format\": \"dynid-model\",\n  \"version\": 1,,\n}"),
              AllOf(HasSubstr("m.json:3:16: not JSON"), HasSubstr("syntax error")));
  EXPECT_THAT(errorOf(""), HasSubstr("m.json:1:1: not JSON"));
  EXPECT_THAT(errorOf("{\"version\": 1e999}"), HasSubstr("m.json: a number is too large"));
}

TEST(Json, QuotesLittleOfADamagedText) {
  const std::string cut = errorOf("{\"format\": \"" + std::string(5000, 'x'));
  EXPECT_THAT(cut, HasSubstr("not JSON (the file ends early"));
  EXPECT_LT(cut.size(), 400U);
  const std::string broken = errorOf("{\"format\": \"" + std::string(5000, 'x') + "\n\"}");
  EXPECT_THAT(broken, AllOf(HasSubstr("not JSON ("), Not(HasSubstr("ends early"))));
  EXPECT_LT(broken.size(), 400U);
}

TEST(Json, RefusesOtherFormatsAndVersions) {
  EXPECT_THAT(errorOf("[1, 2]"), HasSubstr("m.json: /: is not a model of dynid"));
  EXPECT_THAT(errorOf("{\"format\": \"urdf\"}"), HasSubstr("is not a model of dynid"));
  EXPECT_THAT(changed([](Json& m) { m["version"] = 2; }),
              HasSubstr("m.json: /version: is 2; this program reads version 1"));
}

TEST(Json, NamesTheMissingKey) {
  EXPECT_THAT(changed([](Json& m) { m.erase("signals"); }),
              HasSubstr("m.json: /: the key \"signals\" is missing"));
  EXPECT_THAT(changed([](Json& m) { m["links"]["fore"].erase("mass"); }),
              HasSubstr("m.json: /links/fore: the key \"mass\" is missing"));
  EXPECT_THAT(changed([](Json& m) { m["joints"]["shoulder"].erase("stribeck_velocity"); }),
              HasSubstr("/joints/shoulder: the key \"stribeck_velocity\" is missing"));
  EXPECT_THAT(changed([](Json& m) { m["fit"]["per_joint"].erase("wrist"); }),
              HasSubstr("/fit/per_joint: the key \"wrist\" is missing"));
}

TEST(Json, NamesTheWrongTypeOrSize) {
  EXPECT_THAT(changed([](Json& m) { m["links"]["fore"]["mass"] = "heavy"; }),
              HasSubstr("/links/fore/mass: is a string; expected a finite number"));
  EXPECT_THAT(changed([](Json& m) { m["links"]["fore"]["mass"] = nullptr; }),
              HasSubstr("/links/fore/mass: is a null; expected a finite number"));
  EXPECT_THAT(changed([](Json& m) { m["links"]["fore"]["inertia"].push_back(1.0); }),
              HasSubstr("/links/fore/inertia: has 7 numbers; expected 6"));
  EXPECT_THAT(changed([](Json& m) { m["links"]["fore"]["inertia"][2] = nullptr; }),
              HasSubstr("/links/fore: holds a number that is not finite"));
  EXPECT_THAT(changed([](Json& m) { m["consistency"]["certificate"]["u"].erase(0); }),
              HasSubstr("/consistency/certificate/u: has 6 numbers; expected 7"));
  EXPECT_THAT(changed([](Json& m) { m["consistency"]["certificate"]["bodies"] = -1; }),
              HasSubstr("/consistency/certificate/bodies: is -1; expected 0 to 10000"));
  EXPECT_THAT(changed([](Json& m) { m["signals"]["rigid_cutoff_hz"].erase(0); }),
              HasSubstr("/signals/rigid_cutoff_hz: has 2 numbers; expected 3"));
  EXPECT_THAT(
      changed([](Json& m) { m["signals"]["ramp_speed"][1] = -0.01; }),
      HasSubstr("/signals/ramp_speed: has a negative speed; expected 0 or more, in rad/s or "
                "m/s"));
  EXPECT_THAT(changed([](Json& m) { m["signals"]["filter_order"] = 0; }),
              HasSubstr("/signals/filter_order: is 0; expected 1 to 12"));
  for (const double hz : {-1.0, 0.0, 1e-300, 9e-4})
    for (const std::string key : {"rigid_cutoff_hz", "friction_cutoff_hz"})
      EXPECT_THAT(changed([&](Json& m) { m["signals"][key][0] = hz; }),
                  HasSubstr("/signals/" + key + ": holds a cut-off of "));
  EXPECT_THAT(
      changed([](Json& m) { m["signals"]["cutoff_hz"] = 1e-9; }),
      HasSubstr("/signals/cutoff_hz: holds a cut-off of 1e-09 Hz; expected at least 0.001 Hz"));
  EXPECT_THAT(changed([](Json& m) {
                m["signals"]["effort_delay"] = {0.1, 0.2};
              }),
              HasSubstr("/signals/effort_delay: has 2 numbers; expected 3"));
  EXPECT_THAT(changed([](Json& m) { m["signals"]["effort_delay"][1] = -11.0; }),
              HasSubstr("/signals/effort_delay: is -11 s; expected -10 to 10 s"));
  for (const double delay : {10.5, -10.5, 1e300})
    EXPECT_THAT(
        changed([&](Json& m) { m["signals"]["effort_delay"] = delay; }),
        AllOf(HasSubstr("/signals/effort_delay: is "), HasSubstr(" s; expected -10 to 10 s")));
  EXPECT_THAT(changed([](Json& m) { m["covariance"].erase(0); }),
              HasSubstr("/covariance: has 1 rows; expected 2"));
  EXPECT_THAT(changed([](Json& m) { m["columns"][0]["effect"] = "viscuos"; }),
              AllOf(HasSubstr("/columns/0/effect: is \"viscuos\""),
                    HasSubstr("did you mean \"viscous\"?")));
  EXPECT_THAT(changed([](Json& m) { m["columns"][0]["owner"] = 3; }),
              HasSubstr("/columns/0/owner: is 3; expected 0 to 3 (excluded)"));
  EXPECT_THAT(changed([](Json& m) { m["columns"][1]["name"] = m["columns"][0]["name"]; }),
              HasSubstr("/columns/1/name: \"shoulder.viscous\" stands twice"));
  EXPECT_THAT(changed([](Json& m) { m["columns"][0]["name"] = "drive_inertia"; }),
              HasSubstr("expected \"drive_inertia\" or \"drive_inertia\", which belong to the name "
                        "of the column"));
  EXPECT_THAT(
      changed([](Json& m) { m["operating_points"]["position"][1][0] = -1e7; }),
      HasSubstr("/operating_points/position: holds a position beyond 1e6 rad; the model was "
                "changed after identification: identify again"));
}

TEST(Json, RefusesNumbersInsideFrictionTermsThatCannotBeUsed) {
  for (const double value : {0.0, -0.1})
    EXPECT_THAT(changed([&](Json& m) { m["joints"]["shoulder"]["stribeck_velocity"] = value; }),
                AllOf(HasSubstr("/joints/shoulder/stribeck_velocity: is "),
                      HasSubstr("; expected a positive number")));
  EXPECT_THAT(
      changed([](Json& m) { m["joints"]["shoulder"]["stribeck_smoothing_velocity"] = -1e-3; }),
      HasSubstr("/joints/shoulder/stribeck_smoothing_velocity: is -0.001; expected 0 or more"));
  EXPECT_THAT(
      changed([](Json& m) { m["joints"]["shoulder"]["stribeck_presliding_distance"] = -1e-3; }),
      HasSubstr("/joints/shoulder/stribeck_presliding_distance: is -0.001; expected 0 or more"));
}

TEST(Json, RefusesARobotThatWasChanged) {
  const auto heavier = [](Json& m) {
    std::string urdf = m["robot"]["description"]["urdf"];
    urdf.replace(urdf.find("0.25 0 0"), 8, "0.26 0 0");
    m["robot"]["description"]["urdf"] = urdf;
  };
  EXPECT_THAT(
      changed(heavier),
      AllOf(HasSubstr("m.json: /robot/sha256: does not match"), HasSubstr("identify again")));
  EXPECT_THAT(changed([](Json& m) { m["robot"]["description"]["urdf"] = "<robot"; }),
              HasSubstr("m.json: /robot/description/urdf:"));
  EXPECT_THAT(changed([](Json& m) { m["robot"]["ignored_joints"]["nobody"] = 0.0; }),
              HasSubstr("/robot/ignored_joints"));
  EXPECT_THAT(changed([](Json& m) { m["robot"]["gravity"][2] = 9.81; }),
              HasSubstr("/robot/gravity: differs from the description's"));
}

TEST(Json, RefusesToWriteWhatDoesNotFitTogether) {
  Model model = syntheticModel();
  model.parameters.conservativeResize(5);
  EXPECT_THROW(toJson(model), std::invalid_argument);
  model = syntheticModel();
  model.payloads.push_back(model.payloads[0]);
  EXPECT_THROW(toJson(model), std::invalid_argument);
  model = syntheticModel();
  model.robot = nullptr;
  EXPECT_THROW(toJson(model), std::invalid_argument);
}

TEST(Json, RefusesToWriteWhatItWouldNotRead) {
  const auto refusal = [](const auto& change) -> std::string {
    Model model = syntheticModel();
    change(model);
    try {
      toJson(model);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal([](Model& m) { m.parameters(3) = std::nan(""); }),
              HasSubstr("is nan; expected a finite number"));
  EXPECT_THAT(refusal([](Model& m) { m.signals.ramp_speed = Eigen::Vector2d(0.1, 0.1); }),
              HasSubstr("got 2 numbers `ramp_speed`"));
  EXPECT_THAT(refusal([](Model& m) {
                m.signals.ramp_speed =
                    Eigen::VectorXd::Constant(std::ssize(m.robot->drives), std::nan(""));
              }),
              HasSubstr("`ramp_speed` has a negative speed or NaN"));
  EXPECT_THAT(refusal([](Model& m) { m.signals.effort_delay = Eigen::VectorXd::Zero(9); }),
              HasSubstr("got 9 numbers `effort_delay`"));
}

TEST(Json, SavesAndLoadsFiles) {
  const auto path = std::filesystem::temp_directory_path() / "dynid_json_test_model.json";
  saveModel(path, syntheticModel());
  EXPECT_EQ(toJson(loadModel(path)), toJson(syntheticModel()));
  std::filesystem::remove(path);
  EXPECT_THROW(loadModel(path), InputError);
}

}  // namespace
}  // namespace dynid
