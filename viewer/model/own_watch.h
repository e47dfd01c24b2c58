#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gpu/own/text.h"
#include "viewer/model/model.h"

namespace warploom {

/// Files of own maps that are edited elsewhere while a window shows them: a text that is saved runs in place of the one
/// before. One with an error is told, and the one before runs on.
class OwnWatch {
 public:
  /// `wake` is called by a thread of its own when a file was saved.
  OwnWatch(std::vector<OwnFile> files, std::function<void()> wake);
  ~OwnWatch();
  OwnWatch& operator=(OwnWatch&&) = delete;  // neither copied nor moved

  /// Takes over what was saved, and takes back what turned out not to compile. In each frame, after Model::update().
  void follow(Model& model);
  /// Watches no more, and wakes nobody.
  void end() { over_ = true; }

 private:
  struct File {
    OwnFile of;
    std::uint64_t stamp = 0;  ///< of the file as it was seen last; 0: it is not there
    std::uint64_t taken = 0;  ///< ... when it was read last
  };
  void watch();
  void take(Model& model, const OwnFile& file);

  std::vector<File> files_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<OwnFile> saved_;  ///< under the mutex
  /// A text that is being compiled: what ran before it, and the build that it is in.
  struct Trying {
    std::string name;
    std::shared_ptr<const OwnSource> before;
    std::uint64_t build;
  };
  std::optional<Trying> trying_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace warploom
