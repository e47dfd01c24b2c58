#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// A node that made an element, with what it was made of.
struct NodeMade {
  struct Operand {
    std::uint32_t element;
    int role;                   ///< which operand it is
    const std::uint8_t* value;  ///< of RowShape
  };
  const ButterflySettings* settings;
  const ButterflyVariant* variant;
  RowShape shape;
  NetworkStage digits;
  int stage;
  std::uint32_t element;
  std::vector<Operand> operands;
};

/// How the element came of its operands, line by line: what, and how much. Empty where no more is known than the
/// values. In single precision as the kernels, but in an order of its own.
std::vector<std::pair<std::string, std::string>> node_arithmetic(const NodeMade& node);

/// c as words: "0.707 - 0.707i", "-1", "i".
std::string factor_words(double re, double im);

}  // namespace warploom
