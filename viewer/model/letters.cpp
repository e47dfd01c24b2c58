#include "viewer/model/letters.h"

#include <algorithm>
#include <utility>

#include "viewer/model/scene.h"

namespace warploom {

std::string letters_after(const std::vector<std::string>& before, const std::string& letters,
                          const std::vector<std::string>& now) {
  std::string next(now.size(), ' '), left = letters.substr(0, before.size());
  const auto take = [&](std::size_t to, std::size_t from) {
    if (next[to] == ' ') next[to] = std::exchange(left[from], ' ');
  };
  const bool same_places = before.size() == now.size();
  for (std::size_t i = 0; same_places && i < now.size(); ++i)
    if (before[i] == now[i]) take(i, i);
  for (std::size_t i = 0; i < now.size(); ++i)
    for (std::size_t j = 0; j < before.size(); ++j)
      if (before[j] == now[i] && left[j] != ' ') take(i, j);
  for (std::size_t i = 0; same_places && i < now.size(); ++i)
    if (left[i] != ' ') take(i, i);
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
