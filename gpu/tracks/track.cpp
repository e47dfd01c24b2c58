#include "gpu/tracks/track.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

void check_dump(double bytes) {
  if (bytes > static_cast<double>(most_dumped_bytes))
    throw UsageError("--dump: the data of a track has " + bytes_text(bytes) +
                     ", at most 2 GiB are dumped; choose a smaller domain");
}

std::string full_title(const TrackInfo& info) {
  std::string text = info.title, rest = info.name.substr(std::min(info.name.find('/'), info.name.size()));
  for (const char c : rest) text += c == '/' ? ", " : c == '_' ? " " : std::string(1, c);
  return text;
}

std::string place_text(Index3 at, int dimensions) {
  std::string text = "(" + std::to_string(at.x) + ", " + std::to_string(at.y);
  if (dimensions > 2) text += ", " + std::to_string(at.z);
  return text + ")";
}

}  // namespace warploom
