#include "dynid/robot/surroundings.h"

#include "dynid/core/text.h"
#include "dynid/robot/robot.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/toml_reader.h"

#include <algorithm>

namespace dynid {
namespace {

template <typename T>
T required(const TomlReader& reader, const std::optional<T>& value, const char* key) {
  if (!value) reader.failHere(std::string("needs ") + key);
  return *value;
}

Surroundings::Capsule readCapsule(TomlReader reader, bool sphere) {
  Surroundings::Capsule capsule;
  capsule.line = reader.line();
  capsule.link = required(reader, reader.text("link"), "link");
  if (sphere) {
    capsule.from = required(reader, reader.vector3("center"), "center, as [x, y, z]");
    capsule.to = capsule.from;
  } else {
    capsule.from = required(reader, reader.vector3("from"), "from, as [x, y, z]");
    capsule.to = required(reader, reader.vector3("to"), "to, as [x, y, z]");
  }
  capsule.radius = required(reader, reader.positive("radius"), "radius");
  reader.finish();
  return capsule;
}

void readCollision(TomlReader& top, Surroundings& surroundings) {
  std::optional<TomlReader> collision = top.table("collision");
  if (!collision) return;
  for (TomlReader& capsule : collision->tables("capsule"))
    surroundings.capsules.push_back(readCapsule(std::move(capsule), false));
  for (TomlReader& sphere : collision->tables("sphere"))
    surroundings.capsules.push_back(readCapsule(std::move(sphere), true));
  surroundings.ignored_line = collision->lineOf("ignore");
  if (const auto names = collision->texts("ignore"))
    for (const std::string& pair : *names) {
      const std::vector<std::string> words = splitWords(pair);
      if (words.size() != 2)
        collision->fail("ignore",
                        "\"" + pair + "\" is not a pair of links; write \"one_link other_link\"");
      surroundings.ignored_pairs.push_back({words[0], words[1]});
    }
  collision->finish();
}

Surroundings::Box readBox(TomlReader reader, size_t number) {
  Surroundings::Box box;
  box.name = reader.text("name").value_or("box " + std::to_string(number));
  box.center = required(reader, reader.vector3("center"), "center, as [x, y, z]");
  box.half = 0.5 * required(reader, reader.vector3("size"), "size, as [x, y, z]");
  if ((box.half.array() <= 0.0).any()) reader.fail("size", "must be positive");
  if (const auto rpy = reader.vector3("rpy")) box.R = rotationFromRpy(*rpy);
  reader.finish();
  return box;
}

void readWorkspace(TomlReader& top, Surroundings& surroundings) {
  std::optional<TomlReader> reader = top.table("workspace");
  if (!reader) return;
  Surroundings::Workspace workspace;
  workspace.line = reader->line();
  workspace.link = required(*reader, reader->text("link"), "link, whose origin is to stay within");
  workspace.lower = required(*reader, reader->vector3("lower"), "lower, as [x, y, z]");
  workspace.upper = required(*reader, reader->vector3("upper"), "upper, as [x, y, z]");
  if ((workspace.lower.array() >= workspace.upper.array()).any())
    reader->fail("lower", "is not below upper in every coordinate");
  reader->finish();
  surroundings.workspace = workspace;
}

}  // namespace

Surroundings readSurroundings(TomlReader& top) {
  Surroundings surroundings;
  readCollision(top, surroundings);
  if (std::optional<TomlReader> obstacle = top.table("obstacle")) {
    for (TomlReader& box : obstacle->tables("box"))
      surroundings.boxes.push_back(readBox(std::move(box), surroundings.boxes.size() + 1));
    obstacle->finish();
  }
  if (std::optional<TomlReader> ground = top.table("ground")) {
    surroundings.ground = ground->number("height").value_or(0.0);
    ground->finish();
  }
  readWorkspace(top, surroundings);
  return surroundings;
}

Surroundings surroundingsOf(const Robot& robot, const std::string& file) {
  const toml::table root = parseToml(robot.description_text, file);
  TomlReader top(root, "", file);
  Surroundings surroundings = readSurroundings(top);
  std::vector<std::string> links;
  for (const Body::FixedLink& link : robot.root_links) links.push_back(link.name);
  for (const Body& body : robot.bodies)
    for (const Body::FixedLink& link : body.links) links.push_back(link.name);
  const auto require = [&](const std::string& link, int line, const char* table) {
    if (std::find(links.begin(), links.end(), link) == links.end())
      failAt(file,
             line,
             std::string(table) + ": the robot has no link \"" + link + "\"" +
                 didYouMean(link, links) + " (links: " + join(links) + ")");
  };
  for (const Surroundings::Capsule& capsule : surroundings.capsules)
    require(capsule.link, capsule.line, "[[collision.capsule]]");
  for (const auto& pair : surroundings.ignored_pairs)
    for (const std::string& link : pair)
      require(link, surroundings.ignored_line, "[collision] ignore");
  if (surroundings.workspace)
    require(surroundings.workspace->link, surroundings.workspace->line, "[workspace]");
  return surroundings;
}

}  // namespace dynid
