#pragma once
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "viewer/base/png.h"
#include "viewer/gl/texture.h"
#include "viewer/ui/context.h"

namespace warploom {

/// The whole picture in at most 240 x 180 pixels: each the mean of those that fall on it.
PngImage made_small(const PngImage& of);

/// Small pictures of files: read and made small beside the window, then kept as textures. A current OpenGL context is
/// needed until its end.
class Thumbnails {
 public:
  /// `at_once`: the caller waits for each, so that every run draws the same.
  explicit Thumbnails(bool at_once) : at_once_(at_once) {}

  /// Of a PNG; nullopt: it is not there yet, or cannot be read.
  std::optional<ui::SmallPicture> of(const std::string& file);
  /// The file is another now: it is read again when it is asked for.
  void forget(const std::string& file) { entries_.erase(file); }
  /// Some are on their way.
  bool busy() const { return reading_ > 0; }

 private:
  struct Entry {
    std::future<PngImage> read;
    std::unique_ptr<gl::Texture> texture;
  };
  bool at_once_;
  int reading_ = 0;
  std::map<std::string, Entry> entries_;
};

}  // namespace warploom
