#include "dynid/model/fit_json.h"

#include <fmt/format.h>

namespace dynid {
namespace {

Json boundJson(const BoundReport& bound) {
  return {{"name", bound.name},
          {"value", jsonNumber(bound.value)},
          {"limit", jsonNumber(bound.limit)},
          {"active", bound.active},
          {"multiplier", jsonNumber(bound.multiplier)}};
}

BoundReport readBound(const JsonPlace& place) {
  BoundReport bound;
  bound.name = place.at("name").text();
  bound.value = place.at("value").anyNumber();
  bound.limit = place.at("limit").anyNumber();
  bound.active = place.at("active").boolean();
  bound.multiplier = place.at("multiplier").anyNumber();
  return bound;
}

}  // namespace

Json jsonVector(const Eigen::Ref<const Eigen::VectorXd>& v) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) list.push_back(jsonNumber(v(i)));
  return list;
}

Json jsonMatrix(const Eigen::Ref<const Eigen::MatrixXd>& M) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < M.rows(); ++i) rows.push_back(jsonVector(M.row(i).transpose()));
  return rows;
}

Json writeCertificate(const Certificate& certificate) {
  Json whitening = Json::array();
  for (const Eigen::Matrix4d& C : certificate.whitening) whitening.push_back(jsonMatrix(C));
  Json result = {{"bodies", certificate.bodies},
                 {"A", jsonMatrix(certificate.A)},
                 {"b", jsonVector(certificate.b)},
                 {"c0", jsonNumber(certificate.c0)},
                 {"whitening", whitening},
                 {"scalar_scales", jsonVector(certificate.scalar_scales)},
                 {"margin", jsonNumber(certificate.margin)},
                 {"a", jsonVector(certificate.a)},
                 {"T", jsonNumber(certificate.T)},
                 {"C", jsonMatrix(certificate.C)},
                 {"d", jsonVector(certificate.d)},
                 {"x", jsonVector(certificate.x)},
                 {"u", jsonVector(certificate.u)},
                 {"nu", jsonVector(certificate.nu)},
                 {"z_squared", jsonNumber(certificate.z_squared)}};
  const PriorCertificate& prior = certificate.prior;
  if (!(prior.weight > 0.0)) return result;
  result["prior"] = {{"weight", jsonNumber(prior.weight)},
                     {"x", jsonVector(prior.x)},
                     {"u", jsonVector(prior.u)},
                     {"nu", jsonVector(prior.nu)}};
  if (prior.A.size() == 0) return result;
  result["prior"]["A"] = jsonMatrix(prior.A);
  result["prior"]["b"] = jsonVector(prior.b);
  result["prior"]["c0"] = jsonNumber(prior.c0);
  return result;
}

PriorCertificate readPriorCertificate(const JsonPlace& place,
                                      Eigen::Index unknowns,
                                      Eigen::Index bounds) {
  PriorCertificate prior;
  prior.weight = place.at("weight").number();
  prior.x = place.at("x").vector(unknowns);
  prior.nu = place.at("nu").vector(1 + bounds);
  if (const auto u = place.find("u")) prior.u = u->vector();  // none in models before 2026-11-29
  if (!place.find("A")) return prior;
  prior.b = place.at("b").vector();
  prior.A = place.at("A").matrix(prior.b.size(), unknowns);
  prior.c0 = place.at("c0").number();
  return prior;
}

Certificate readCertificate(const JsonPlace& place) {
  Certificate result;
  result.bodies = place.at("bodies").integer();
  if (result.bodies < 0 || result.bodies > 10000)
    place.at("bodies").fail(fmt::format("is {}; expected 0 to 10000", result.bodies));
  result.scalar_scales = place.at("scalar_scales").vector();
  const Eigen::Index unknowns = 10 * result.bodies + result.scalar_scales.size();
  result.b = place.at("b").vector();
  result.A = place.at("A").matrix(result.b.size(), unknowns);
  result.c0 = place.at("c0").number();
  const std::vector<JsonPlace> whitening = place.at("whitening").elements();
  if (std::ssize(whitening) != result.bodies)
    place.at("whitening")
        .fail(fmt::format("has {} matrices; expected {}", whitening.size(), result.bodies));
  for (const JsonPlace& C : whitening) result.whitening.emplace_back(C.matrix(4, 4));
  result.margin = place.at("margin").number();
  result.a = place.at("a").vector(unknowns);
  result.T = place.at("T").number();
  result.d = place.at("d").vector();
  result.C = place.at("C").matrix(result.d.size(), unknowns);
  result.x = place.at("x").vector(unknowns);
  result.u = place.at("u").vector(result.b.size());
  result.nu = place.at("nu").vector(result.d.size());
  result.z_squared = place.at("z_squared").number();
  if (const auto prior = place.find("prior"))
    result.prior = readPriorCertificate(*prior, unknowns, result.d.size());
  return result;
}

Json writeFitResult(const PhysicalFitResult& result) {
  Json bounds = Json::array();
  for (const BoundReport& bound : result.bounds) bounds.push_back(boundJson(bound));
  return {{"feasible", result.feasible},
          {"converged", result.converged},
          {"reason", result.reason},
          {"min_eigenvalue", jsonNumber(result.min_eigenvalue)},
          {"objective_optimal", jsonNumber(result.objective_optimal)},
          {"objective", jsonNumber(result.objective)},
          {"relative_duality_gap", jsonNumber(result.relative_duality_gap)},
          {"margin", jsonNumber(result.margin)},
          {"margin_cost", jsonNumber(result.margin_cost)},
          {"second_stage_cost", jsonNumber(result.second_stage_cost)},
          {"prior_weight", jsonNumber(result.prior_weight)},
          {"prior_relative_gap", jsonNumber(result.prior_relative_gap)},
          {"prior_scale", jsonNumber(result.prior_scale)},
          {"rank", result.rank},
          {"iterations", result.iterations},
          {"fallback_steps", result.fallback_steps},
          {"seconds", jsonNumber(result.seconds)},
          {"bounds", bounds},
          {"x", jsonVector(result.x)},
          {"x_first_stage", jsonVector(result.x_first_stage)}};
}

PhysicalFitResult readFitResult(const JsonPlace& place) {
  PhysicalFitResult result;
  result.feasible = place.at("feasible").boolean();
  result.converged = place.at("converged").boolean();
  result.reason = place.at("reason").text();
  result.min_eigenvalue = place.at("min_eigenvalue").anyNumber();
  result.objective_optimal = place.at("objective_optimal").anyNumber();
  result.objective = place.at("objective").anyNumber();
  result.relative_duality_gap = place.at("relative_duality_gap").anyNumber();
  result.margin = place.at("margin").anyNumber();
  result.margin_cost = place.at("margin_cost").anyNumber();
  result.second_stage_cost = place.at("second_stage_cost").anyNumber();
  if (const auto weight = place.find("prior_weight")) result.prior_weight = weight->anyNumber();
  if (const auto gap = place.find("prior_relative_gap"))
    result.prior_relative_gap = gap->anyNumber();
  result.prior_scale = place.at("prior_scale").anyNumber();
  result.rank = place.at("rank").integer();
  result.iterations = place.at("iterations").integer();
  result.fallback_steps = place.at("fallback_steps").integer();
  result.seconds = place.at("seconds").anyNumber();
  for (const JsonPlace& bound : place.at("bounds").elements())
    result.bounds.push_back(readBound(bound));
  result.x = place.at("x").vector();
  result.x_first_stage = place.at("x_first_stage").vector();
  return result;
}

Json writeSensorFits(const std::vector<SensorFit>& sensors) {
  Json per_sensor = Json::object();
  for (const SensorFit& sensor : sensors)
    per_sensor[sensor.channel] = {{"force_error", jsonNumber(sensor.force_error)},
                                  {"moment_error", jsonNumber(sensor.moment_error)},
                                  {"force_factor", jsonNumber(sensor.force_factor)},
                                  {"moment_factor", jsonNumber(sensor.moment_factor)},
                                  {"samples", jsonCount(sensor.samples)}};
  return per_sensor;
}

std::vector<SensorFit> readSensorFits(const JsonPlace& place) {
  std::vector<SensorFit> sensors;
  for (const auto& [channel, entry] : place.members())
    sensors.push_back({channel,
                       entry.at("force_error").anyNumber(),
                       entry.at("moment_error").anyNumber(),
                       entry.at("force_factor").anyNumber(),
                       entry.at("moment_factor").anyNumber(),
                       entry.at("samples").anyNumber()});
  return sensors;
}

}  // namespace dynid
