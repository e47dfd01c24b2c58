#pragma once
#include <cstdlib>
#include <random>
#include <string>

namespace warploom {

/// How many texts a test mutates: WARPLOOM_FUZZ_TEXTS, else `usual`.
inline int mutated_texts(int usual) {
  const char* count = std::getenv("WARPLOOM_FUZZ_TEXTS");
  return count ? std::atoi(count) : usual;
}

/// A text with one to four edits: a byte changed, some taken out, a piece of it or a sign put in.
inline std::string mutated(const std::string& whole, std::mt19937& random) {
  std::string text = whole;
  for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, whole.substr(random() % whole.size(), random() % 24));
        break;
      default:
        text.insert(at, 1, " \n\"\\#=.*:,"[random() % 10]);
    }
    if (text.empty()) text = " ";
  }
  return text;
}

}  // namespace warploom
