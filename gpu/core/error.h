#pragma once
#include <stdexcept>
#include <string>

namespace warploom {

/// Exit codes of the command line (docs/command-line.md).
enum class ExitCode { done = 0, failure = 1, usage = 2, verification = 3, no_cuda = 4, no_display = 5, skipped = 77 };

/// Every error that Warploom throws on purpose: a message that names the thing, the reason and the remedy.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ExitCode code = ExitCode::failure)
      : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// A value refused by itself: unknown, out of range, too large for memory, an empty list. Exit code 2.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(message, ExitCode::usage) {}
};

/// More memory was asked for than is free. Exit code 2.
struct MemoryError : UsageError {
  using UsageError::UsageError;
};

/// A file that is missing, unreadable or malformed. Exit code 1.
struct FileError : Error {
  explicit FileError(const std::string& message) : Error(message, ExitCode::failure) {}
};

/// No usable CUDA: none in the build, no device, or a driver that is too old. Exit code 4.
struct CudaUnavailable : Error {
  explicit CudaUnavailable(const std::string& message) : Error(message, ExitCode::no_cuda) {}
};

/// No usable OpenGL or display. Exit code 5.
struct DisplayError : Error {
  explicit DisplayError(const std::string& message) : Error(message, ExitCode::no_display) {}
};

/// The user cancelled long work. Nothing was published.
struct Cancelled : Error {
  Cancelled() : Error("cancelled") {}
};

}  // namespace warploom
