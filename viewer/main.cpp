#include <cstdio>
#include <exception>
#include <system_error>

#include "viewer/cli/command.h"

int main(int count, char** words) {
  try {
    const auto code = warploom::read_command(count, words)();
    if (std::fflush(stdout) != 0) throw warploom::FileError("stdout: cannot be written");
    return static_cast<int>(code);
  } catch (const warploom::Error& error) {
    std::fprintf(stderr, "warploom: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "warploom: cannot write: %s\n", error.what());
    return static_cast<int>(warploom::ExitCode::failure);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warploom: unexpected failure: %s\n", error.what());
    return static_cast<int>(warploom::ExitCode::failure);
  }
}
