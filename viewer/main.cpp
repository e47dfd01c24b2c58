#include <cstdio>
#include <exception>
#include <iostream>
#include <system_error>

#include "viewer/app/app.h"
#include "viewer/cli/bench.h"
#include "viewer/cli/doctor.h"
#include "viewer/cli/list.h"
#include "viewer/cli/options.h"

namespace {

warploom::ExitCode dispatch(const warploom::Options& options) {
  constexpr struct {
    const char* name;
    warploom::ExitCode (*run)(const warploom::Options&);
  } commands[] = {{"view", warploom::view},
                  {"run", warploom::run},
                  {"bench", warploom::run_bench},
                  {"list", warploom::list},
                  {"doctor", warploom::doctor}};
  for (const auto& command : commands)
    if (options.command == command.name) return command.run(options);
  return warploom::ExitCode::usage;
}

}  // namespace

int main(int count, char** words) {
  try {
    warploom::Options options;
    if (const auto code = warploom::read_options(count, words, options)) {
      std::cout.flush();
      if (!std::cout || std::fflush(stdout) != 0) throw warploom::FileError("stdout: cannot be written");
      return static_cast<int>(*code);
    }
    const auto code = dispatch(options);
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
