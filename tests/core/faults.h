#pragma once
#include <gtest/gtest.h>

#include <string>

#include "gpu/core/checked_group.h"
#include "tests/files/files.h"

// What tests that plant faults into group programs share.

namespace warploom {

/// What the checker says of a block of the body; nothing: that it is right.
template <class Body>
std::string fault(unsigned threads, Body&& body, std::uint64_t dynamic_bytes = 0) {
  CheckedGroup::Dynamic dynamic(dynamic_bytes);
  CheckedGroup group("test.planted", {3, 1, 0}, 7, {threads, 1, 1}, dynamic);
  try {
    body(group);
  } catch (const GroupError& error) {
    const std::string said = error.what();
    EXPECT_TRUE(said.starts_with("kernel test.planted, block 7 (3, 1, 0) of " + std::to_string(threads) + " threads: "))
        << said;
    return said;
  }
  return {};
}

#define EXPECT_FAULT(said, what) EXPECT_PRED2(has, said, what)
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline constexpr unsigned sizes[] = {2, 31, 32, 33, 64, 1000, 1024};

}  // namespace warploom
