#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/shared_pages.h"
#include "gpu/maps/work.h"
#include "gpu/own/compile_cuda.h"
#include "gpu/own/runner.h"
#include "gpu/scenes/fractal/own/arguments.h"
#include "gpu/tracks/own_search.h"
#include "tests/sanitized.h"

// Own maps below the tracks: their texts, their compilation, and the process that runs them.

namespace warploom {
namespace {

const std::string lambda = read_file(WARPLOOM_SOURCE_DIR "/assets/own/lambda.h");

std::string refusal(const std::string& file, std::string_view text) {
  try {
    (void)read_own_text(file, text);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(OwnText, IsReadAsEditorsWriteIt) {
  const OwnSource text = read_own_text("fold.h",
                                       "\xef\xbb\xbf#include <warploom/own.h>\r\nPlace place(Block b, Domain) {\r\n"
                                       "  return {b.x, b.y};  // ( { [\r\n}\r\n");
  EXPECT_EQ(text.stem, "fold");
  EXPECT_EQ(text.form, "place");
  EXPECT_EQ(text.source.find('\r'), std::string::npos);
  EXPECT_EQ(text.functions.at("place"), 2);
  EXPECT_EQ(read_own_text("a.h", "Place cell(Thread t, Domain) { return {t.x, 1'000, '{'}; }").form, "cell");
}

TEST(OwnText, SaysWhatIsWrongAtItsLine) {
  EXPECT_EQ(refusal("a.h", ""), "a.h:1: the text is empty");
  EXPECT_EQ(refusal("a.h", "int x;\n"),
            "a.h:1: a map defines `Place place(Block b, Domain d)` or `Place cell(Thread t, Domain d)`; a rule `bool "
            "rule(Around a)`; a whole step `template <class Group> void kernel(Group& g, From from, To to, Domain d)`; "
            "here is none of them");
  EXPECT_EQ(refusal("a.h", "Place place(Block, Domain) { return {}; }\n\nPlace cell(Thread, Domain) { return {}; }"),
            "a.h:3: a text defines `place` or `cell`, not both");
  EXPECT_EQ(refusal("a.h", "bool rule(Around) { return true; }\nPlace cell(Thread, Domain) { return {}; }"),
            "a.h:2: a text defines `cell` or `rule`, not both");
  EXPECT_EQ(refusal("a.h", "Place place(Block, Domain) {\n  if (true) {\n  return {};\n}\n"),
            "a.h:1: this '{' is never closed");
  EXPECT_EQ(refusal("a.h", "Place place(Block, Domain) { return {}; }\n}\n"), "a.h:2: this '}' closes nothing");
  EXPECT_EQ(refusal("a.h", "Place place(Block, Domain) {\n return {1, 2); }\n"),
            "a.h:2: this ')' does not close the '{' of line 2");
  EXPECT_EQ(refusal("a.h", "\n#include <vector>\n"),
            "a.h:2: a map includes nothing; what it may use stands in docs/own-maps.md");
  EXPECT_EQ(refusal("a.h", std::string_view("int\n\0;", 6)), "a.h:2: a zero byte: this is no text");
  EXPECT_EQ(refusal("a.h", "\xff\xfe"), "a.h:1: this is no UTF-8 text");
  EXPECT_EQ(refusal("a.h", "/* \n"), "a.h:1: this comment is never closed");
  EXPECT_EQ(refusal("a.h", "\nconst char* x = \"abc\n"), "a.h:2: this text in quotes is never closed");
}

TEST(OwnText, AnyBytesAreReadOrRefused) {
  std::mt19937 random(3);
  const std::string pieces[] = {"(",  ")", "{", "}",  "[",      "]",     "\"", "'", "\\", "\n",   "//",       "/*",
                                "*/", "R", "#", "a(", "place(", "cell(", " ",  ";", "0'", "\r\n", "\xc3\xa4", "\xff"};
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (unsigned i = random() % 60; i > 0; --i) text += pieces[random() % std::size(pieces)];
    try {
      (void)read_own_text("a.h", text);
    } catch (const FileError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("a.h:", 0), 0u) << error.what();
    }
  }
}

OwnScene scene_of(const std::string& work = "Life") {
  return {{"gpu/scenes/fractal/own/entry.h", "gpu/scenes/fractal/works/embedded.h", "gpu/scenes/fractal/works/list.h"},
          "FractalState<Embedded>",
          "using Scene = FractalScene<Embedded, SubBoxes, " + work + ">;",
          nullptr};
}

std::string compile_error(const std::string& text, Backend backend = Backend::cpu) {
  try {
    (void)compile_own(read_own_text("bad.h", text), scene_of(), backend, nullptr);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// Whether this machine has NVRTC, which needs no device.
bool has_nvrtc() {
  try {
    (void)find_device_compiler();
    return true;
  } catch (const Error&) {
    return false;
  }
}

void errors_stand_at_lines(Backend backend) {
  const auto at = [&](int line, const std::string& text, int or_line = 0) {
    const std::string error = compile_error(text, backend);
    const auto begins = [&](int number) { return error.rfind("bad.h:" + std::to_string(number) + ":", 0) == 0; };
    EXPECT_TRUE(begins(line) || begins(or_line)) << text << "\n" << error;
    EXPECT_EQ(error.find("warploom/gpu"), std::string::npos) << error;
    EXPECT_EQ(error.find("own.cpp"), std::string::npos) << error;
  };
  at(2, "Place place(Block b, Domain) {\n  return {c.x, b.y};\n}\n");
  at(3, "Place place(Block b, Domain) {\n  int x = 1\n  return {b.x, b.y};\n}\n", 2);
  at(2, "// what\nint place(Block b, Domain) { return 1; }\n");
  at(2, "\nPlace grid(Domain d, int) { return d; }\nPlace place(Block b, Domain) { return {}; }\n");
  at(1, "Place place(Block b, Domain);\n");
  const std::string error = compile_error("int place(Block b, Domain) { return 1; }", backend);
  EXPECT_NE(error.find("`place` answers with a Place; this one answers with int"), std::string::npos) << error;
  // Of one that says so, and does not do it, a compiler speaks.
  const std::string other = compile_error("Place cell(Thread t, Domain) { return t.x; }", backend);
  EXPECT_NE(other.find("a map answers with a Place; this one answers with unsigned int"), std::string::npos) << other;
  EXPECT_EQ(other.find("warploom"), std::string::npos) << other;
  const std::string helper = compile_error(
      "Place at(Place p) { return p; }\nPlace place(Block b, Domain) {\n  auto p = at(b.x);\n  return p;\n}", backend);
  EXPECT_EQ(helper.find("answers"), std::string::npos) << helper;
}
TEST(OwnCompile, ErrorsStandAtLinesOfTheText) { errors_stand_at_lines(Backend::cpu); }
TEST(OwnCompile, ErrorsOfNvrtcStandThereToo) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  errors_stand_at_lines(Backend::cuda);
}

/// A kernel with all that a group offers.
constexpr const char* warps_and_tiles =
    R"(template <class Group> struct Shared { typename Group::template Tile<unsigned, 33> all; };
Place threads(Domain) { return {32, 1, 1}; }
template <class Group>
void kernel(Group& g, Shared<Group>& s, From from, To to, Domain d) {
  typename Group::template PerThread<unsigned> alive, lane, next, rank, votes;
  typename Group::template PerThread<bool> flag;
  g.each([&](Thread t) {
    s.all[t.index] = 0;
    flag[t] = alive[t] = from({t.x, t.y});
    lane[t] = (t.index + 1) % 32;
  });
  g.barrier();
  g.each([&](Thread t) { g.tile_maximum(s.all, 0, alive[t]); });
  g.warp_barrier();
  g.shuffle(alive, lane, next);
  g.warp_ranks(flag, rank);
  g.warp_ballot(flag, votes);
  g.each_warp_count(flag, [&](unsigned, unsigned set) { s.all[32] = set; });
  g.each_warp_sum(alive, [&](unsigned, unsigned sum) { s.all[31] = sum; });
  g.warp_segmented_sum(alive, flag);
  const unsigned vote = g.ballot(flag);
  g.barrier();
  g.each([&](Thread t) {
    if (d.holds({t.x, t.y})) to({t.x, t.y}, (next[t] + rank[t] + votes[t] + vote + s.all[0] + s.all[32]) & 1);
  });
}
)";

TEST(OwnCompile, EveryFormCompilesForDevices) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  for (const char* example : {"lambda.h", "box.h", "cells.h", "life_step.h"}) {
    const OwnSource text = read_own_file(std::string(WARPLOOM_SOURCE_DIR "/assets/own/") + example);
    const CompiledOwn compiled = compile_own(text, scene_of(), Backend::cuda, nullptr);
    EXPECT_EQ(compiled.compiler.rfind("NVRTC ", 0), 0u);
    EXPECT_GT(std::filesystem::file_size(compiled.trusted), 1000u) << example;
  }
  // Loops of checked code count their turns, and are constant expressions still.
  EXPECT_EQ(
      compile_error(
          "constexpr int f(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i; while (s > 9) --s; return s; }\n"
          "static_assert(f(3) == 3);\nPlace place(Block b, Domain) { do ++b.x; while (b.x < 3); return {b.x, b.y}; }\n",
          Backend::cuda),
      "");
  EXPECT_EQ(compile_error(warps_and_tiles, Backend::cuda), "");
}
TEST(OwnCompile, KernelsHaveTheCallsOfGroups) {
  EXPECT_EQ(compile_error(warps_and_tiles, Backend::cpu), "");
  std::string undefined = warps_and_tiles;
  undefined.erase(0, undefined.find('\n') + 1);
  EXPECT_NE(compile_error(undefined, Backend::cpu).find("a kernel with shared memory defines what that is"),
            std::string::npos);
  std::string large = warps_and_tiles;
  large.replace(large.find("33>"), 2, "33333");
  EXPECT_NE(compile_error(large, Backend::cpu).find("the shared memory of a block has 46 KiB at most"),
            std::string::npos);
}

TEST(OwnCompile, MessagesOfNvrtcAreReadAsOthers) {
  EXPECT_EQ(
      nvrtc_messages(
          "fold.h(3): error: identifier \"x\" is undefined\n    return {x, b.y};\n            ^\n\n1 error detected\n"),
      "fold.h:3:11: error: identifier \"x\" is undefined\n");
  EXPECT_EQ(nvrtc_messages("warploom/gpu/own/tail.inc(9): error: static assertion failed with \"`place` answers\"\n"
                           "          detected during instantiation of \"f\" at line 7 of fold.h\n"),
            "warploom/gpu/own/tail.inc:9: error: static assertion failed: \"`place` answers\"\nfold.h:7: note: "
            "required from here\n");
  EXPECT_EQ(nvrtc_messages("something else"), "something else");
}

TEST(OwnCompile, IsKeptAndMadeAnewWhereItWasCutShort) {
  const OwnSource text = read_own_text("kept.h", lambda + "// " + std::to_string(std::random_device{}()));
  const CompiledOwn first = compile_own(text, scene_of(), Backend::cpu, nullptr),
                    second = compile_own(text, scene_of(), Backend::cpu, nullptr);
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.checked, second.checked);
  std::filesystem::resize_file(first.trusted, std::filesystem::file_size(first.trusted) / 2);
  EXPECT_FALSE(compile_own(text, scene_of(), Backend::cpu, nullptr).cached);
  EXPECT_TRUE(compile_own(text, scene_of(), Backend::cpu, nullptr).cached);
}

TEST(OwnCompile, IsCancelledAtOnce) {
  const OwnSource text =
      read_own_text("slow.h",
                    "template <int n> struct Deep { static constexpr int value = Deep<n - 1>::value + "
                    "Deep<n - 2>::value % 7; };\ntemplate <> struct Deep<0> { static constexpr int value "
                    "= 1; };\ntemplate <> struct Deep<1> { static constexpr int value = 1; };\nPlace "
                    "place(Block b, Domain) { return {Deep<800>::value + b.x}; }" +
                        std::string("// ") + std::to_string(std::random_device{}()));
  std::atomic<bool> cancel{true};
  EXPECT_THROW((void)compile_own(text, scene_of(), Backend::cpu, &cancel), Cancelled);
}

/// A gasket, judged and stepped in a host.
struct OwnRun : testing::Test {
  Queue queue{Backend::cpu};
  Mask mask{"gasket", "gasket", "", "", {"#.", "##"}, {}};
  own::FractalArguments with;
  std::vector<Buffer<std::uint8_t>> memory;

  void share(own::Memory which, std::uint64_t bytes) {
    const ScopedSharedPages shared;
    memory.emplace_back(Backend::cpu, bytes);
    with.memory[static_cast<std::size_t>(which)] = memory.back().data();
  }
  void prepare(int level, int digits) {
    memory.clear();
    with = {};
    with.domain = FractalDomain(mask, level);
    with.block_digits = digits;
    const std::uint64_t places = volume(with.domain.extent);
    share(own::Memory::in, places);
    share(own::Memory::out, places);
    share(own::Memory::once, places / 8 + 4);
    share(own::Memory::twice, places / 8 + 4);
    share(own::Memory::tallies, own::tally_slots * sizeof(own::Tally));
    share(own::Memory::sums, SumSlots::slots * SumSlots::words_apart * 8);
  }
  std::unique_ptr<OwnRunner> runner(const std::string& source, const std::string& file = "map.h") {
    const OwnSource text = read_own_text(file, source);
    auto started = std::make_unique<OwnRunner>(text, nullptr, Backend::cpu, 2);
    started->load(compile_own(text, scene_of(), Backend::cpu, nullptr));
    return started;
  }
  bool bit(own::Memory which, std::uint64_t place) const {
    return with.at<std::uint32_t>(which)[place / 32] >> place % 32 & 1;
  }
};

TEST_F(OwnRun, LambdaServesEachCellOnceAndSteps) {
  prepare(7, 3);
  const auto run = runner(lambda);
  const auto shape = run->launches(with);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->count, 1);
  EXPECT_EQ(shape->grids[0], (Index3{9, 9, 1}));
  EXPECT_EQ(shape->threads, (Index3{8, 8, 1}));
  ASSERT_TRUE(run->run(own::Job::judge, with, nullptr));
  const std::uint32_t n = with.domain.extent.x;
  for (std::uint32_t y = 0; y < n; ++y)
    for (std::uint32_t x = 0; x < n; ++x) {
      ASSERT_EQ(bit(own::Memory::once, y * n + x), with.domain.contains({x, y, 0})) << x << ", " << y;
      ASSERT_FALSE(bit(own::Memory::twice, y * n + x));
    }
  std::uint64_t served = 0;
  for (std::uint64_t i = 0; i < own::tally_slots; ++i) served += with.at<own::Tally>(own::Memory::tallies)[i].served;
  EXPECT_EQ(served, with.domain.cells());

  // One step of life, checked and trusted, against a plain loop.
  auto* in = with.at<std::uint8_t>(own::Memory::in);
  auto* out = with.at<std::uint8_t>(own::Memory::out);
  std::mt19937 random(5);
  for (std::uint32_t i = 0; i < n * n; ++i) in[i] = with.domain.contains({i % n, i / n, 0}) && random() % 2;
  const auto alive = [&](std::uint32_t x, std::uint32_t y) { return x < n && y < n ? in[y * n + x] : 0; };
  for (const auto job : {own::Job::checked_step, own::Job::trusted_step}) {
    std::memset(out, 7, n * n);
    ASSERT_TRUE(run->run(job, with, nullptr));
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t x = 0; x < n; ++x) {
        if (!with.domain.contains({x, y, 0})) {
          ASSERT_EQ(out[y * n + x], 7) << "what is no cell is not written";
          continue;
        }
        int around = 0;
        for (int v = -1; v <= 1; ++v)
          for (int u = -1; u <= 1; ++u)
            if (u || v) around += alive(x + static_cast<std::uint32_t>(u), y + static_cast<std::uint32_t>(v));
        ASSERT_EQ(out[y * n + x], (alive(x, y) ? with.rule.survive : with.rule.born) >> around & 1) << x << ", " << y;
      }
  }
  const auto asked = run->ask(with, {0, 0, {2, 1, 0}, {0, 3, 0}});
  ASSERT_TRUE(asked);
  EXPECT_TRUE(asked->has_block);
}

TEST_F(OwnRun, WhereADeviceFellACpuFindsTheLineAndTheBlock) {
  prepare(6, 3);
  const std::uint64_t places = volume(with.domain.extent);
  const auto found = [&](const std::string& source) {
    return fall_on_cpu(read_own_text("fall.h", source), scene_of(), with, {}, places, nullptr);
  };
  const auto fault = found(
      "Place place(Block b, Domain) {\n  if (b.x == 5 && b.y == 7)\n    *(volatile unsigned*)(0x123456789000 + b.x) = "
      "1;\n"
      "  return {b.x, b.y};\n}\n");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->line, 3);
  EXPECT_EQ(fault->block, (Index3{5, 7, 0}));
  EXPECT_FALSE(found("Place place(Block b, Domain) { return {b.x, b.y}; }\n")) << "it falls nowhere";
  EXPECT_FALSE(found("Place place(Block b, Domain) { return {b.z, __trap_of_devices(b.y)}; }\n"))
      << "no compiler of a CPU takes it";
  std::atomic<bool> cancel{true};
  EXPECT_FALSE(fall_on_cpu(read_own_text("fall.h", lambda + "// cancelled\n"), scene_of(), with, {}, places, &cancel));
}

struct Fall {
  const char *name, *text, *kind;
  int line;  ///< 0: not known
};
class OwnFalls : public OwnRun, public testing::WithParamInterface<Fall> {};

TEST_P(OwnFalls, AreToldWithTheirLineAndHarmNothing) {
  const Fall& fall = GetParam();
  prepare(6, 3);
  setenv("WARPLOOM_OWN_PATIENCE", "0.4", 1);
  const auto run = runner(fall.text, "fall.h");
  if (run->launches(with)) (void)run->run(own::Job::judge, with, nullptr);
  unsetenv("WARPLOOM_OWN_PATIENCE");
  const auto fault = run->fault();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, fall.kind) << fault->text;
  if (fall.line) {
    // A loop that does nothing may be told by its function's line.
    EXPECT_LE(fault->line.value_or(-1), fall.line) << fault->text;
    EXPECT_GE(fault->line.value_or(-1), fall.line - (fall.kind == std::string("time"))) << fault->text;
  }
  EXPECT_FALSE(run->run(own::Job::judge, with, nullptr)) << "what fell stays so";
  // Another version of the text goes on where it was.
  const auto mended = runner(lambda);
  ASSERT_TRUE(mended->launches(with));
  EXPECT_TRUE(mended->run(own::Job::judge, with, nullptr));
}

INSTANTIATE_TEST_SUITE_P(
    Each, OwnFalls,
    testing::Values(
        Fall{"Division", "Place place(Block b, Domain d) {\n  unsigned x = b.x / (d.n - 64);\n  return {x, b.y};\n}\n",
             "division", 2},
        Fall{"Index",
             "Place place(Block b, Domain) {\n  unsigned table[4] = {0, 1, 2, 3};\n  return {\n      table[b.x], "
             "b.y};\n}\n",
             "bounds", 4},
        Fall{"Write",
             "Place place(Block b, Domain) {\n\n  *reinterpret_cast<int*>(0x1234567000ul + b.x) = 1;\n  return {b.x, "
             "b.y};\n}\n",
             "address", 3},
        Fall{"Recursion",
             "unsigned deep(unsigned x) {\n  return x == 77777777 ? x : deep(x + 1) + deep(x + 2) % 3;\n}\nPlace "
             "place(Block b, Domain) { return {deep(b.x), b.y}; }\n",
             "stack", 0},
        Fall{"NoReturn", "Place place(Block b, Domain) {\n  if (b.x < 2) return {b.x, b.y};\n}\n", "undefined", 0},
        Fall{"EndlessPlace", "Place place(Block b, Domain) {\n  while (b.x < 99) {\n  }\n  return {b.x, b.y};\n}\n",
             "time", 2},
        Fall{"EndlessGrid",
             "Place grid(Domain d) {\n  for (;;) {\n  }\n}\nPlace place(Block b, Domain) { return {b.x, "
             "b.y}; }\n",
             "time", 2},
        Fall{"SystemCall",
             "Place place(Block b, Domain) {\n  long r;\n  asm volatile(\"syscall\" : \"=a\"(r) : \"a\"(39) : \"rcx\", "
             "\"r11\");\n  return {b.x + unsigned(r), b.y};\n}\n",
             "call", 0},
        Fall{"End",
             "Place place(Block b, Domain) {\n  asm volatile(\"syscall\" : : \"a\"(231), \"D\"(0) : \"rcx\", "
             "\"r11\");\n  return {b.x, b.y};\n}\n",
             "end", 0}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warploom
