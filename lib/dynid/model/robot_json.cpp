#include "dynid/model/robot_json.h"

#include "dynid/model/fit_json.h"

namespace dynid {

Json bodiesJson(const Robot& robot) {
  Json list = Json::array();
  for (const Body& body : robot.bodies) {
    const Json parent = body.parent < 0 ? Json(nullptr) : Json(robot.bodies.at(body.parent).name);
    list.push_back(
        {{"link", body.name},
         {"parent", parent},
         {"joint", body.joint_name},
         {"type", body.prismatic ? "prismatic" : "revolute"},
         {"axis", jsonVector(body.axis)},
         {"origin", {{"position", jsonVector(body.X_PJ.p)}, {"rotation", jsonMatrix(body.X_PJ.R)}}},
         {"coordinate", body.joint},
         {"multiplier", jsonNumber(body.multiplier)},
         {"offset", jsonNumber(body.offset)}});
  }
  return list;
}

Json transmissionJson(const Robot& robot) {
  return {{"matrix", jsonMatrix(robot.T)}, {"offset", jsonVector(robot.transmission_offset)}};
}

Json positionEffectJson(const PositionEffect& effect) {
  Json json;
  switch (effect.kind) {
    case PositionEffect::Kind::kSpring:
      json = {{"type", "spring"}};
      break;
    case PositionEffect::Kind::kPolynomial:
      json = {{"type", "polynomial"}, {"degree", effect.degree}};
      break;
    case PositionEffect::Kind::kFourier:
      json = {{"type", "fourier"}, {"harmonics", effect.harmonics}};
      break;
    case PositionEffect::Kind::kCounterbalance:
      json = {{"type", "counterbalance"},
              {"radius", jsonNumber(effect.radius)},
              {"distance", jsonNumber(effect.distance)},
              {"angle", jsonNumber(effect.angle)}};
      break;
  }
  json["at_actuator"] = effect.at_actuator;
  return json;
}

}  // namespace dynid
