#include "dynid/core/few_words.h"

#include "dynid/core/text.h"

namespace dynid {

std::string joinFew(std::span<const std::string> words, std::size_t most) {
  if (words.size() <= most + 1) return join(words);
  return join(words.first(most)) + " and " + std::to_string(words.size() - most) + " more";
}

}  // namespace dynid
