// The program of libFuzzer for one target, which WARPLOOM_FUZZ_TARGET in the environment names.
#include <ctime>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "tests/fuzz/scene.h"
#include "tests/fuzz/targets.h"
#include "viewer/app/app.h"
#include "viewer/cli/command.h"

namespace warploom {

// What the program has of the window, and of scenes with kernels, is not linked.
std::vector<std::unique_ptr<Scene>> make_scenes() { return fuzz_scenes(); }
std::vector<PlotKind> base_plots() { return {}; }
void bench::add_suites(const std::vector<Suite>&) {}
void bench::add_suites_from(void (*)()) {}
CliCommand view_command();
CliCommand run_command();
ExitCode view(const Options&) { return ExitCode::done; }
ExitCode run(const Options&) { return ExitCode::done; }
const std::vector<CliCommand>& cli_commands() {
  static const std::vector<CliCommand> all{view_command(), run_command()};
  return all;
}
std::vector<std::string> cli_command_names() { return texts_of(cli_commands(), &CliCommand::name); }

namespace {

const FuzzTarget* target = nullptr;

void read(std::string_view bytes) {
  try {
    target->read(bytes);
  } catch (const Error&) {
    // It is refused.
  }
}

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

}  // namespace
}  // namespace warploom

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace warploom;
  const char* name = std::getenv("WARPLOOM_FUZZ_TARGET");
  for (const auto& one : fuzz_targets()) {
    if (name && one.name == name) target = &one;
    if (!name) std::printf("%s\n", one.name.c_str());
  }
  if (!name) std::exit(0);  // it was asked for the list
  if (!target) {
    std::fprintf(stderr, "fuzz: no target '%s'\n", name);
    std::exit(2);
  }
  read("");  // what is made once counts for no run
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t count) {
  using namespace warploom;
  constexpr double most_ms = 100;
  const double begin = processor_ms();
  read({reinterpret_cast<const char*>(bytes), count});
  if (const double took = processor_ms() - begin; took > most_ms) {
    std::fprintf(stderr, "fuzz: one run took %.0f ms of processor time; at most %.0f may\n", took, most_ms);
    std::abort();
  }
  return 0;
}
