#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace warploom {

/// A compiler's process, with those that it starts: ended as a whole. It has 4 GiB of memory; what it says goes into a
/// file. Throws Error where it cannot be started.
class Compiling {
 public:
  Compiling(const std::vector<std::string>& words, const std::filesystem::path& output);
  ~Compiling() { end(); }
  Compiling& operator=(Compiling&&) = delete;  // neither copied nor moved

  bool over();
  bool succeeded() const { return exit_code() == 0; }
  /// -1: it is not over, or was ended.
  int exit_code() const;
  void end();

 private:
  pid_t process_ = 0;
  int status_ = 0;
  bool over_ = false;
};

/// The path of a program by its name; empty: it is not there.
std::string which(const std::string& name);
/// What a program says; empty: nothing within some seconds.
std::string said(const std::vector<std::string>& words);

/// Where the host is: beside the program, or in libexec/warploom of where it is installed. Throws Error.
std::filesystem::path own_host();

}  // namespace warploom
