#pragma once
#include <string>
#include <vector>

#include "gpu/core/error.h"

namespace warploom {

/// Operators on the digits of an index, applied from left to right. Source: lobeiras2016indexdigit.
struct IndexOperator {
  enum class Kind {
    shift,    ///< G^power(i,j) or G^power(i,j,k,l): places i to j, and k to l, shifted to the right, around
    reverse,  ///< R(i,j): places i to j reversed
    node      ///< B^power(i): a node operator on places i to i + power - 1
  } kind = Kind::shift;
  int power = 1;
  std::vector<int> at;  ///< places, the highest n, the lowest 1
};

/// What is wrong with a string of operators, and where.
class OperatorMistake : public UsageError {
 public:
  OperatorMistake(const std::string& text, int at, const std::string& reason)
      : UsageError("operators '" + text + "', character " + std::to_string(at) + ": " + reason),
        character(at),
        why(reason) {}
  int character;  ///< from 1
  std::string why;
};

/// Reads "G^2(7,2) R(n,1) B^4(1)"; `n` stands for the number of digits, spaces are free. Throws OperatorMistake.
std::vector<IndexOperator> parse_operators(const std::string& text, int n);
std::string operators_text(const std::vector<IndexOperator>& operators);

/// What stands in places n to 1 after an operator; nodes move nothing.
std::vector<int> applied(const IndexOperator& one, std::vector<int> digits);

struct OperatorResult {
  std::vector<int> digits;  ///< the highest place first
  bool is_fft = false;      ///< they end reversed, and every node acts on the highest digits that none acted on before
};
OperatorResult apply_operators(const std::vector<IndexOperator>& operators, int n);

/// The operators of an FFT by windows of so many digits each, from the top; they add up to n.
std::vector<IndexOperator> fft_operators(const std::vector<int>& windows);

}  // namespace warploom
