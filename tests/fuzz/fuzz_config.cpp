// links: core Boost::program_options glog
// sources: tools/options.cpp tools/console.cpp tools/interrupt.cpp tools/option_names.cpp
// sources: tools/files.cpp lib/dynid/report/numbers.cpp
// libfuzzer: -max_len=600
#include "fuzz/input.h"
#include "tools/options.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = dynid::fuzz::asFile(data, size, "settings.conf");
  return dynid::fuzz::readOrRefuse([&] {
    bool flag = false, on_off = true;
    double number = 1.0;
    int integer = 1;
    std::string text;
    std::vector<std::string> texts;
    dynid::tool::Options options("identify", "dynid identify", "For the fuzzer.");
    options.flag("force", flag, "a flag");
    options.onOff("robust", on_off, "on or off");
    options.number("margin", number, "1", "a number");
    options.integer("threads", integer, 1, "an integer");
    options.text("robot", text, "FILE", "a text");
    options.texts("log", texts, "FILE", "texts");
    try {
      options.parse({"--config", path.string()});
    } catch (const dynid::UsageError&) {
    }
  });
}
