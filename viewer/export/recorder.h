#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/files.h"
#include "gpu/core/pixels.h"

namespace warploom {

/// A film of the window: numbered PNGs in a folder, or what ffmpeg makes of the frames (.mp4, .webm, .gif). Files are
/// there whole or not at all. Frames are encoded beside the caller, which waits only where it is several ahead.
class Recorder {
 public:
  /// Starts. `target` without an ending is a folder; `rate`: frames a second. Throws FileError: no ffmpeg in PATH (and
  /// what to install), or the target cannot be written; UsageError for another ending.
  Recorder(std::string target, int width, int height, int rate);
  /// Gives up what was not finished: nothing is left.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The next frame, top row first. Throws what encoding the ones before it threw.
  void add(std::vector<Rgba> pixels);
  /// Ends the film. Throws FileError; nothing is left then.
  void finish();
  std::uint64_t frames() const { return frames_; }
  const std::string& target() const { return target_; }

 private:
  void work();
  void encode(const std::vector<Rgba>& pixels);
  void start_encoder();
  /// Of ffmpeg: ends its input and waits; why it failed, or empty.
  std::string end_encoder();

  std::string target_;
  int width_, height_, rate_;
  bool film_;
  std::uint64_t frames_ = 0, encoded_ = 0;
  std::string encoder_;                  ///< the path of ffmpeg
  std::unique_ptr<StagingFolder> part_;  ///< of the film, or of all frames
  int pipe_ = -1, child_ = -1, said_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<Rgba>> waiting_;
  bool ends_ = false, gives_up_ = false;
  std::exception_ptr failed_;
  std::thread thread_;
};

/// Where a film of the window goes that was asked for by a key: into the user's pictures, .mp4 where ffmpeg is.
std::string new_film(const std::filesystem::path& folder);
/// How long a film may get: ten minutes, or what fills half of the free disk space.
double longest_film(const std::string& target, int width, int height, int rate);

/// Throws UsageError unless it names a folder or ends in .mp4, .webm or .gif.
void check_record_name(const std::string& target);
/// ... and that a film can begin there: throws FileError, as Recorder does.
void check_record(const std::string& target);

/// Why a script's line `record` cannot: a film is under way, or, where `target` is empty, none is.
std::string film_not_so(const std::string& target);

}  // namespace warploom
