#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>

#include "viewer/model/model.h"

namespace warploom {

/// What drawing a frame cost, in milliseconds, without waiting for v-sync or a limiter.
struct FrameSamples {
  std::vector<double> frame, ui, interop;
  void add(const FrameTimes& times);
  /// Drops the older half above `most`, so that the rest still samples the run, not its first or last frames.
  void forget_oldest_above(std::size_t most);
};

/// A stats file, schema warploom.stats/1 (docs/file-formats.md), with ratios against track `baseline`. Waits for
/// the step under way: all of it is of one state. Throws Error where nothing is built.
nlohmann::ordered_json make_stats(Scene& scene, Runner& runner, std::size_t baseline, std::uint64_t frames,
                                  const FrameSamples* samples, const std::string& gl_renderer,
                                  const std::string& interop);

/// JSON, or CSV with one row a kernel and track, by the file's ending. Throws UsageError for another ending, FileError.
/// Writes text to a file, whole or not at all, or to standard output where its name is - or /dev/stdout. Throws
/// FileError.
void write_text(const std::filesystem::path& file, const std::string& text);
void write_stats(const std::filesystem::path& file, const nlohmann::ordered_json& stats);
/// Throws UsageError unless the file ends in .json or .csv.
void check_stats_name(const std::string& file);

/// Throw FileError before any work when an output could not be written: no such folder, or a folder that holds other
/// people's files.
void check_file_name(const std::string& option, const std::string& file);
void check_dump_name(const std::filesystem::path& folder);

/// The tracks' data as NumPy files with a manifest; what the folder holds is replaced when all is written. Waits for
/// the step under way: all tracks are dumped at the same step. Throws UsageError when a state passes 2 GiB.
void write_dump(const std::filesystem::path& folder, Runner& runner, const std::atomic<bool>* cancel = nullptr);

}  // namespace warploom
