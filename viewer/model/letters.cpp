#include "viewer/model/letters.h"

#include <algorithm>
#include <utility>

#include "viewer/model/scene.h"

namespace warploom {

std::string letters_after(const std::vector<std::string>& before, const std::string& letters,
                          const std::vector<std::string>& now) {
  if (before.size() == now.size()) return letters;
  std::string next(now.size(), ' '), left = letters.substr(0, before.size());
  for (std::size_t i = 0; i < now.size(); ++i)
    for (std::size_t j = 0; j < before.size() && next[i] == ' '; ++j)
      if (before[j] == now[i] && left[j] != ' ') next[i] = std::exchange(left[j], ' ');
  for (char& letter : next)
    if (letter == ' ') letter = *std::ranges::find_if(first_letters, [&](char c) { return next.find(c) == next.npos; });
  for (const char letter : first_letters)
    if (next.find(letter) == next.npos) next += letter;
  return next;
}

const std::string& Scene::letters() {
  if (lettered_ != tracks()) letters_ = letters_after(std::exchange(lettered_, tracks()), letters_, tracks());
  return letters_;
}

void Scene::set_letters(const std::string& letters) {
  lettered_ = tracks();
  letters_ = letters;
  for (const char letter : first_letters)
    if (letters_.find(letter) == letters_.npos) letters_ += letter;
}

}  // namespace warploom
