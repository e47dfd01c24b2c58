#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/shared_library.h"
#include "gpu/own/compile_cpp.h"
#include "gpu/own/kept.h"
#include "gpu/own/kit.h"

// The headers of kernels keep to the small standard library: every map under every work compiles against it, by a C++
// compiler, and by NVRTC where that is installed, which needs no device.

namespace warploom {
namespace {

const char* const use_program = R"(
namespace warploom {
template <class Program>
void use(const Program& program) {
#ifdef __CUDACC__
  CudaGroup group({}, 0, false);
#else
  CpuGroup group({}, 0, {1, 1, 1});
#endif
  using Group = decltype(group);
  if constexpr (SharesMemory<Program, Group>) {
    SharedBy<Program, Group>* shared = nullptr;
    program(group, *shared);
  } else {
    program(group);
  }
}
)";

struct Room {
  const char* name;
  std::vector<std::string_view> headers;
  const char* text;
};
const Room rooms[] = {
    {"fractal",
     {"gpu/scenes/fractal/maps/list.h", "gpu/scenes/fractal/works/list.h", "gpu/scenes/fractal/works/map_program.h",
      "gpu/scenes/fractal/works/compact.h", "gpu/scenes/fractal/works/embedded.h"},
     R"(
void all(const FractalDomain& domain) {
  for_each_type(FractalMaps{}, [&]<class Map>() {
    for_each_type(FractalWorks{}, [&]<class Work>() {
      for_each_type(TypeList<Embedded, Compact>{}, [&]<class Storage>() {
        using At = typename Work::template At<Storage>;
        const WorkArguments<Storage>* with = nullptr;
        use(MapProgram<Map, At>{Map(domain, 1, nullptr), At(*with), 0, {}});
      });
    });
  });
}
}
#ifdef __CUDACC__
extern "C" __global__ void go(warploom::FractalDomain domain) { warploom::all(domain); }
#endif
)"},
    {"simplex",
     {"gpu/scenes/simplex/maps/list.h", "gpu/scenes/simplex/works/list.h", "gpu/scenes/simplex/works/program.h",
      "gpu/scenes/simplex/works/layouts.h"},
     R"(
template <int dimensions>
void all(const SimplexDomain<dimensions>& domain) {
  for_each_type(SimplexMaps<dimensions>{}, [&]<class Map>() {
    for_each_type(SimplexWorks<dimensions>{}, [&]<class Work>() {
      for_each_type(SimplexLayouts<dimensions>{}, [&]<class Layout>() {
        using Storage = SimplexStorage<Layout, typename Work::template Value<dimensions>, !Map::info.exact>;
        using Program = SimplexProgram<Map, Work, Storage>;
        const SimplexArguments<dimensions, Storage>* with = nullptr;
        use(Program{Map(domain, nullptr, {}), typename Program::At(*with), Layout(domain), 0, {}, nullptr});
      });
    });
  });
}
void both() {
  all<2>({});
  all<3>({});
}
}
#ifdef __CUDACC__
extern "C" __global__ void go() { warploom::both(); }
#endif
)"}};

std::string source_of(const Room& room, bool device) {
  std::vector<std::string_view> headers{"gpu/own/std/small.h"};
  if (device) headers.push_back("gpu/own/std/tensor.h");
  headers.insert(headers.end(), room.headers.begin(), room.headers.end());
  return kit_source(headers) + "#line 1 \"test\"\n" + use_program + room.text;
}

TEST(Kit, FilesAreInlinedOnceWithTheirLines) {
  const std::string source = kit_source(std::vector<std::string_view>{"gpu/core/thread.h", "gpu/core/types.h"}, "p/");
  EXPECT_NE(source.find("#line 1 \"p/gpu/core/macros.h\"\n"), source.npos);
  EXPECT_EQ(source.find("struct Index3"), source.rfind("struct Index3"));
  EXPECT_EQ(source.find("#include"), source.npos);
  EXPECT_EQ(kit_text("gpu/core/types.h"), read_file(WARPLOOM_SOURCE_DIR "/gpu/core/types.h"));
  EXPECT_THROW((void)kit_text("gpu/core/none.h"), Error);
}

TEST(Kit, EveryMapUnderEveryWorkKeepsToTheSmallLibrary) {
  const CppCompiler compiler = find_cpp_compiler();
  const StagingFolder folder(kept_folder() / "kit");
  for (const Room& room : rooms) {
    const auto file = folder.path() / (std::string(room.name) + ".cpp");
    write_atomically(file, source_of(room, false));
    const std::string command = compiler.path + " -std=c++20 -nostdinc++ -fsyntax-only -fmax-errors=3 " +
                                file.string() + " > " + file.string() + ".txt 2>&1";
    EXPECT_EQ(std::system(compiler.clang ? std::string(command).replace(command.find("-fmax-errors=3"), 14, "").c_str()
                                         : command.c_str()),
              0)
        << room.name << "\n"
        << read_file(file.string() + ".txt");
  }
}

TEST(Kit, EveryMapUnderEveryWorkIsReadByNvrtc) {
  const SharedLibrary library("libnvrtc.so.13");
  if (!library.there()) GTEST_SKIP() << "no NVRTC 13";
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(void*, int, const char* const*);
  int (*log_size)(void*, std::size_t*);
  int (*log)(void*, char*);
  int (*destroy)(void**);
  ASSERT_TRUE(library.find("nvrtcCreateProgram", create) && library.find("nvrtcCompileProgram", compile) &&
              library.find("nvrtcGetProgramLogSize", log_size) && library.find("nvrtcGetProgramLog", log) &&
              library.find("nvrtcDestroyProgram", destroy));
  const char* const options[]{"-default-device", "-std=c++20",          "-arch=sm_90",
                              "-minimal",        "-diag-suppress=2282", "--fdevice-syntax-only"};
  for (const Room& room : rooms) {
    void* program = nullptr;
    ASSERT_EQ(create(&program, source_of(room, true).c_str(), "own.cu", 0, nullptr, nullptr), 0);
    const int result = compile(program, std::size(options), options);
    std::size_t size = 0;
    log_size(program, &size);
    std::string text(size, '\0');
    log(program, text.data());
    EXPECT_EQ(result, 0) << room.name << "\n" << text.substr(0, 4000);
    destroy(&program);
  }
}

}  // namespace
}  // namespace warploom
