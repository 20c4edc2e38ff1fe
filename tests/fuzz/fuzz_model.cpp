// links: model
// libfuzzer: -max_len=60000
#include "dynid/model/json.h"

#include "fuzz/input.h"
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

// Of libFuzzer or replay.cpp
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data,
                                                              std::size_t size,
                                                              std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;

/// All values below `value`, without the description of the robot: the model names its SHA-256, so
/// a change of its text is refused before anything else is read.
void listValues(Json& value, std::vector<Json*>& values) {
  values.push_back(&value);
  if (!value.is_structured()) return;
  for (auto& [key, member] : value.items())
    if (key != "description") listValues(member, values);
}

Json hostileValue(std::mt19937& random) {
  static const std::vector<Json> values{0,
                                        1,
                                        -1,
                                        0.5,
                                        1e308,
                                        -1e308,
                                        1e-308,
                                        5e-324,
                                        1e16,
                                        2147483647,
                                        -2147483648LL,
                                        9223372036854775807LL,
                                        18446744073709551615ULL,
                                        "",
                                        "x",
                                        nullptr,
                                        true,
                                        false,
                                        Json::array(),
                                        Json::object()};
  return values[random() % values.size()];
}

void changeString(Json& value) {
  std::string text = value.get<std::string>();
  const std::size_t size = text.size();
  text.resize(size + 16);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  value = text;
}

void eraseMember(Json& value, std::mt19937& random) {
  if (value.is_structured() && !value.empty())
    value.erase(std::next(value.begin(), random() % value.size()));
}

void repeatElement(Json& value, std::mt19937& random) {
  if (value.is_array() && !value.empty()) value.push_back(Json(value[random() % value.size()]));
}

/// One change of one value: another kind or size of number, a member less, an element twice, the
/// value of another place.
void changeOneValue(Json& document, std::mt19937& random) {
  std::vector<Json*> values;
  listValues(document, values);
  Json& value = *values[random() % values.size()];
  switch (random() % 6) {
    case 0:
      value = hostileValue(random);
      break;
    case 1:
      eraseMember(value, random);
      break;
    case 2:
      repeatElement(value, random);
      break;
    case 3:
      value = Json(*values[random() % values.size()]);
      break;
    case 4:
      if (value.is_number()) value = -value.get<double>() * (random() % 2 ? 1.0 : 1e3);
      break;
    default:
      if (value.is_string()) changeString(value);
  }
}

}  // namespace

/// Changes values of a model that is valid JSON, as bytes changed at random seldom pass the parser;
/// every fourth time the bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned int seed) {
  std::mt19937 random(seed);
  Json document = Json::parse(data, data + size, nullptr, false);
  if (random() % 4 == 0 || document.is_discarded()) return LLVMFuzzerMutate(data, size, max_size);
  for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
    changeOneValue(document, random);
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  return dynid::fuzz::readOrRefuse(
      [&] { dynid::toJson(dynid::modelFromJson(text, "model.json")); });
}
