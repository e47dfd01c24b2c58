#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/own/text.h"
#include "viewer/model/model.h"

namespace warploom {

/// Texts of own maps that change while a window shows them, in the editor or in files that are edited elsewhere: a text
/// that is run, or saved, runs in place of the one before. One with an error is told, and the one before runs on.
class OwnWatch {
 public:
  /// `wake` is called by a thread of its own when a file was saved.
  OwnWatch(std::vector<OwnFile> files, std::function<void()> wake);
  ~OwnWatch();
  OwnWatch& operator=(OwnWatch&&) = delete;  // neither copied nor moved

  /// Takes over what was saved or is to run, and takes back what turned out not to compile. In each frame, after
  /// Model::update().
  void follow(Model& model);
  /// Watches no more, and wakes nobody.
  void end() { over_ = true; }

 private:
  struct File {
    OwnFile of;
    std::uint64_t stamp = 0;  ///< of the file as it was seen last; 0: it is not there
    std::uint64_t taken = 0;  ///< ... when it was read last
    bool gone = false;        ///< ... it was there, and is no more
    int empty = 0;            ///< looks at which there was nothing in it
  };
  static constexpr int most_empty_looks = 20;  ///< some editors empty a file before they write
  void watch();
  /// Files of drafts are looked at, too.
  void watch_drafts(const OwnEditing& editing);
  void take(Model& model, const OwnFile& file);
  /// Of the editor.
  void run(Model& model, std::size_t draft);
  void try_text(Model& model, const std::string& name, OwnSource text);
  /// Of a text that is loaded, and that no track shows.
  void show_as_track(Model& model, const std::string& name);
  void try_first(Model& model, const std::string& file, OwnSource text);
  void end_trial(Model& model, bool shown);
  void tell_how_it_runs(Model& model, const std::string& name);
  /// How it runs, as the editor says it.
  void tell_in_editor(Model& model, OwnDraft& draft);
  /// Texts that run are judged anew where the domain is another.
  void follow_judging(Model& model);

  std::map<std::string, std::string> watched_;  ///< files of drafts, by the names of their maps, or by themselves
  std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<File> files_;  ///< under the mutex, and what follows
  std::vector<OwnFile> saved_, gone_;
  /// A text that is being compiled: what ran before it, and the build that it is in.
  struct Trying {
    std::string name;
    std::shared_ptr<const OwnSource> before;  ///< null: it is new
    std::uint64_t build;
  };
  std::optional<Trying> trying_;
  std::optional<std::string> judged_later_;  ///< an own map that is shown before it is judged
  std::uint64_t told_of_ = 0;                ///< the simulation whose judging the drafts tell of
  std::atomic<bool> over_{false};
  std::thread thread_;
};

/// Colours by visits the first time that a text which was run here misses a cell or serves one twice, and never again
/// by itself.
void show_first_fault(Model& model);

/// How a text that was taken over runs, in the words of its judge, and whether badly. Of one that no track shows: that.
std::pair<std::string, bool> how_it_runs(Model& model, const std::string& name);

}  // namespace warploom
