// Replaces libFuzzer for compilers without it: calls the entry function of a fuzz target with the
// content of files and folders. -mutations=N also reads N inputs that the mutator of the target
// makes from them (-seed=K: others), if it has one; other options (-runs=0) are ignored. The input
// that ends the process stays in the folder of fuzz::ScratchFolder.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using Bytes = std::vector<std::uint8_t>;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                                                     std::size_t size,
                                                                     std::size_t max_size,
                                                                     unsigned int seed);

namespace {

constexpr std::size_t kMoreBytes = 65536;
std::mt19937 random_bytes(1);

Bytes readBytes(const std::filesystem::path& file) {
  // The last line printed is the file that caused a crash
  std::fprintf(stderr, "%s\n", file.c_str());
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A mutation of one of the inputs, or of the mutation before.
void mutate(const std::vector<Bytes>& inputs, unsigned seed, Bytes& bytes) {
  if (bytes.empty() || random_bytes() % 4 != 0) bytes = inputs[random_bytes() % inputs.size()];
  const std::size_t size = bytes.size();
  bytes.resize(size + kMoreBytes);
  bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, bytes.size(), seed));
}

long numberOf(const char* option, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(option, name, length) == 0 ? std::atol(option + length) : 0;
}

}  // namespace

/// The simplest of libFuzzer's mutations: a byte changed, inserted or erased.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data,
                                        std::size_t size,
                                        std::size_t max_size) {
  const std::size_t at = random_bytes() % (size + 1);
  const auto byte = static_cast<std::uint8_t>(random_bytes());
  if (size < max_size && (size == 0 || random_bytes() % 3 == 0)) {
    std::copy_backward(data + at, data + size, data + size + 1);
    data[at] = byte;
    return size + 1;
  }
  if (at == size) return size;
  if (random_bytes() % 2 == 0) {
    data[at] = byte;
    return size;
  }
  std::copy(data + at + 1, data + size, data + at);
  return size - 1;
}

int main(int argc, char** argv) {
  std::vector<Bytes> inputs;
  long mutations = 0;
  unsigned seed = 1;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') {
      mutations = std::max(mutations, numberOf(argv[i], "-mutations="));
      seed = std::max(seed, static_cast<unsigned>(numberOf(argv[i], "-seed=")));
      continue;
    }
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_regular_file(argv[i]))
      files.emplace_back(argv[i]);
    else
      for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      inputs.push_back(readBytes(file));
      LLVMFuzzerTestOneInput(inputs.back().data(), inputs.back().size());
    }
  }
  std::fprintf(stderr, "%zu inputs\n", inputs.size());
  if (inputs.empty()) return 1;
  if (LLVMFuzzerCustomMutator == nullptr) return 0;
  random_bytes.seed(seed);
  Bytes bytes;
  for (long i = 0; i < mutations; ++i) {
    mutate(inputs, static_cast<unsigned>(random_bytes()), bytes);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    if ((i + 1) % 1000 == 0) std::fprintf(stderr, "%ld mutations\n", i + 1);
  }
  std::fprintf(stderr, "%ld mutations\n", mutations);
  return 0;
}
