// links: model
#include "dynid/model/json.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] {
    const Model model = loadModel(fuzz::asFile(data, size, "model.json"));
    toJson(model);
  });
}
