#include "viewer/export/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/files/input.h"
#include "gpu/own/compiling.h"
#include "viewer/base/png.h"
#include "viewer/export/stats.h"
#include "viewer/export/written_folder.h"
#include "viewer/model/user_files.h"

extern char** environ;

namespace warploom {

namespace {

constexpr std::size_t most_waiting = 8;

bool is_film(const std::string& target) {
  const std::string ending = extension_of(target);
  return ending == ".mp4" || ending == ".webm" || ending == ".gif";
}

FolderWish frames_wish(const std::string& target) {
  return {"--record", target, [](const std::filesystem::path& file) { return is_numbered(file, "frame_", 6, ".png"); }};
}

/// What ffmpeg is asked for, after its input.
std::vector<std::string> encoding(const std::string& target, int rate) {
  const std::string ending = extension_of(target);
  // Odd sides are padded by a pixel.
  const std::string even = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
  if (ending == ".mp4")
    return {"-vf",  even, "-c:v",     "libx264", "-preset",   "veryfast",
            "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"};
  if (ending == ".webm")
    return {"-vf",      even,      "-c:v",    "libvpx-vp9", "-b:v",      "0",        "-crf",      "24",
            "-pix_fmt", "yuv420p", "-row-mt", "1",          "-deadline", "realtime", "-cpu-used", "6"};
  return {"-vf",
          fmt::format("fps={},scale='min(960,iw)':-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse",
                      std::min(rate, 30))};
}

}  // namespace

std::string new_film(const std::filesystem::path& folder) {
  const std::filesystem::path picture = new_picture(folder);
  std::filesystem::path film = picture;
  film.replace_extension(which("ffmpeg").empty() ? "" : ".mp4");
  return film.string();
}

double longest_film(const std::string& target, int width, int height, int rate) {
  constexpr double most = 600;
  std::error_code unknown;
  const auto space = std::filesystem::space(std::filesystem::absolute(target).parent_path(), unknown);
  if (unknown) return most;
  // Frames of an interface shrink to a tenth as PNG, to a hundredth as a film.
  const double frame = 4. * width * height / (is_film(target) ? 100 : 10);
  return std::min(most, static_cast<double>(space.available) / 2 / (frame * rate));
}

void check_record_name(const std::string& target) {
  if (target.empty() || is_film(target)) return;
  const std::string ending = extension_of(target);
  if (!ending.empty())
    throw UsageError("--record " + target + ": expected a folder, or a name that ends in .mp4, .webm or .gif");
}

void check_record(const std::string& target) {
  check_record_name(target);
  if (!is_film(target)) return check_folder(frames_wish(target));
  check_file_name("--record", target);
  if (which("ffmpeg").empty())
    throw FileError("--record " + target +
                    ": there is no ffmpeg in PATH; install the package ffmpeg, or name a folder, which needs none");
}

std::string film_not_so(const std::string& target) {
  if (target.empty()) return "record off: no film is under way";
  return "record " + target + ": a film is under way; record off ends it";
}

Recorder::Recorder(std::string target, int width, int height, int rate)
    : target_(std::move(target)), width_(width), height_(height), rate_(rate), film_(is_film(target_)) {
  check_record(target_);
  if (film_) encoder_ = which("ffmpeg");
  auto name = std::filesystem::absolute(target_).lexically_normal();
  if (name.filename().empty()) name = name.parent_path();
  part_ = std::make_unique<StagingFolder>(name);
  if (film_) start_encoder();
  thread_ = std::thread([this] { work(); });
}

void Recorder::start_encoder() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw FileError("--record: no pipe to ffmpeg");
  const std::string size = fmt::format("{}x{}", width_, height_), rate = std::to_string(rate_),
                    film = (part_->path() / ("film" + extension_of(target_))).string();
  // Not on the disk, which may be full: then that is what it says.
  said_ = memfd_create("ffmpeg", MFD_CLOEXEC);
  std::vector<std::string> words{"ffmpeg", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba",
                                 "-s",     size,       "-r",        rate,    "-i", "-",        "-an"};
  for (auto& word : encoding(target_, rate_)) words.push_back(std::move(word));
  words.insert(words.end(), {"-y", film});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, said_, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  // A group of its own: what interrupts this program from a terminal is ours to tell it.
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int failed = posix_spawn(&child, encoder_.c_str(), &actions, &how, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&how);
  close(ends[0]);
  if (failed) {
    close(ends[1]);
    throw FileError("--record: ffmpeg cannot be started");
  }
  pipe_ = ends[1];
  child_ = child;
}

std::string Recorder::end_encoder() {
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
  if (child_ < 0) return {};
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  std::string said(static_cast<std::size_t>(std::max<off_t>(0, lseek(said_, 0, SEEK_END))), '\0');
  if (pread(said_, said.data(), said.size(), 0) != static_cast<ssize_t>(said.size())) said.clear();
  close(std::exchange(said_, -1));
  // It says errors alone, and ends well where its last write failed.
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && said.empty()) return {};
  while (said.ends_with('\n')) said.pop_back();
  const auto line = said.rfind('\n');
  if (line != said.npos) said = said.substr(line + 1);
  return "ffmpeg failed" + (said.empty()
                                ? WIFSIGNALED(status) ? fmt::format(": ended by signal {}", WTERMSIG(status)) : ""
                                : ": " + said);
}

Recorder::~Recorder() {
  {
    const std::lock_guard lock(mutex_);
    gives_up_ = ends_ = true;
  }
  changed_.notify_all();
  if (child_ >= 0) kill(child_, SIGKILL);  // a write into its pipe ends
  if (thread_.joinable()) thread_.join();
  (void)end_encoder();
}

void Recorder::encode(const std::vector<Rgba>& pixels) {
  if (!film_) {
    PngImage image{width_, height_, pixels, {}};
    for (Rgba& pixel : image.pixels) pixel |= 0xff000000u;
    write_png(part_->path() / fmt::format("frame_{:06}.png", encoded_ + 1), image);
    return;
  }
  const char* from = reinterpret_cast<const char*>(pixels.data());
  for (std::size_t left = pixels.size() * sizeof(Rgba); left > 0;) {
    const ssize_t written = write(pipe_, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw FileError("--record " + target_ + ": " + "ffmpeg takes no more frames");
    from += written;
    left -= static_cast<std::size_t>(written);
  }
}

void Recorder::work() {
  // A pipe that ffmpeg has closed is an error of the write, not the end of the program.
  sigset_t broken;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, nullptr);
  for (;;) {
    std::vector<Rgba> next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (gives_up_ || waiting_.empty()) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    changed_.notify_all();
    try {
      encode(next);
      ++encoded_;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = std::current_exception();
      waiting_.clear();
      changed_.notify_all();
      return;
    }
  }
}

void Recorder::add(std::vector<Rgba> pixels) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failed_ || waiting_.size() < most_waiting; });
  if (failed_ && film_) {
    // Its own words say more than that it takes no more.
    lock.unlock();
    if (thread_.joinable()) thread_.join();
    if (const std::string said = end_encoder(); !said.empty()) throw FileError("--record " + target_ + ": " + said);
    lock.lock();
  }
  if (failed_) std::rethrow_exception(failed_);
  waiting_.push_back(std::move(pixels));
  ++frames_;
  changed_.notify_all();
}

void Recorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  const std::string said = film_ ? end_encoder() : std::string();
  if (!said.empty()) throw FileError("--record " + target_ + ": " + said);
  if (failed_) std::rethrow_exception(failed_);
  if (film_) {
    std::error_code failed;
    std::filesystem::rename(part_->path() / ("film" + extension_of(target_)), target_, failed);
    if (failed) throw FileError("--record " + target_ + ": " + failed.message());
    part_.reset();
    return;
  }
  // All of them at once: an earlier film gives way as a whole.
  write_folder(frames_wish(target_), [&](const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(part_->path()))
      std::filesystem::rename(entry.path(), folder / entry.path().filename());
  });
  part_.reset();
}

}  // namespace warploom
