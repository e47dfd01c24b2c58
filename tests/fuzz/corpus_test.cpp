#include <gtest/gtest.h>

#include <chrono>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "tests/fuzz/targets.h"

// Every file that was kept of the fuzzing, without the fuzzer: seeds, and what once made a reader fail.

namespace warploom {
namespace {

const std::filesystem::path corpus = std::filesystem::path(WARPLOOM_SOURCE_DIR) / "tests/fuzz/corpus";

TEST(Corpus, EachFileIsTakenOrRefusedAtOnce) {
  for (const auto& target : fuzz_targets()) {
    ASSERT_TRUE(std::filesystem::is_directory(corpus / target.name)) << target.name << " has no seeds";
    int taken = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / target.name)) {
      SCOPED_TRACE(entry.path());
      const std::string bytes = read_file(entry.path());
      const auto begin = std::chrono::steady_clock::now();
      try {
        target.read(bytes);
        ++taken;
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      } catch (const std::exception& error) {
        ADD_FAILURE() << "no Error: " << error.what();
      }
      EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
    }
    EXPECT_GT(taken, 0) << target.name << ": none of its seeds is right";
  }
}

TEST(Corpus, HasNoOtherFolders) {
  for (const auto& entry : std::filesystem::directory_iterator(corpus))
    EXPECT_EQ(std::ranges::count(fuzz_targets(), entry.path().filename().string(), &FuzzTarget::name), 1)
        << entry.path();
}

}  // namespace
}  // namespace warploom
