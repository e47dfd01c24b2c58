#pragma once
#include <cstdint>
#include <type_traits>

// What marked code (see.h) notes while it runs: which value a variable had, which way a condition went, what a function
// answered. Plain bytes of one layout, because those who read them are compiled apart from the code that notes, and
// built-in maps that are marked even have another namespace.

namespace warploom::own {

enum class SeenKind : std::uint8_t {
  value,      ///< of a variable, after it was set
  condition,  ///< which way it went
  answer,     ///< what a function returns
  turn        ///< a turn of a loop begins; the values of its own variables follow
};

struct SeenNote {
  std::int32_t file, line;
  SeenKind kind;
  std::uint8_t numbers;    ///< 0 to 3; 0: a turn, or a value of a type that is not shown
  std::uint8_t real;       ///< not 0: one number, and it is `fraction`; no bool: a host may write any byte
  std::uint8_t truth;      ///< not 0: one number, 0 or 1, that stands for no or yes
  std::int64_t number[3];  ///< x, y, z of a place
  double fraction;
};

struct SeenNotes {
  static constexpr int most = 4096;
  std::int32_t count = 0;
  std::uint8_t cut = 0;  ///< there would have been more
  SeenNote notes[most];
};

/// Where this thread notes; null: nowhere. Ready before the program begins, so that no access of it needs a guard.
inline constinit thread_local SeenNotes* seen_notes = nullptr;

/// Notes there until it ends.
class Seeing {
 public:
  explicit Seeing(SeenNotes* notes) : before_(seen_notes) { seen_notes = notes; }
  ~Seeing() { seen_notes = before_; }
  Seeing(const Seeing&) = delete;
  Seeing& operator=(const Seeing&) = delete;

 private:
  SeenNotes* before_;
};

namespace noting {

/// The next note, empty; null: no list is set, or it is full.
inline SeenNote* next_note(SeenKind kind, std::int32_t file, std::int32_t line) {
  SeenNotes* const to = seen_notes;
  if (!to) return nullptr;
  if (to->count >= SeenNotes::most) {
    to->cut = 1;
    return nullptr;
  }
  SeenNote& note = to->notes[to->count++];
  note = {file, line, kind, 0, 0, 0, {}, 0};
  return &note;
}

template <class Value>
inline constexpr bool is_seen_number = std::is_integral_v<Value> || __is_enum(Value);
template <class Value>
inline constexpr bool has_seen_numbers = is_seen_number<std::remove_cvref_t<Value>>;

template <class Number>
void note_number(SeenNote& note, Number value) {
  const auto whole = static_cast<std::int64_t>(value);
  // Past 2^63 its sign would be wrong; its last digits matter less.
  if (whole < 0 && value > Number{}) {
    note.real = 1;
    note.numbers = 1;
    note.fraction = static_cast<double>(value);
    return;
  }
  note.number[note.numbers++] = whole;
}

template <class Value>
void note_value(SeenKind kind, std::int32_t file, std::int32_t line, const Value& value) {
  SeenNote* const note = next_note(kind, file, line);
  if (!note) return;
  if constexpr (std::is_same_v<std::remove_cv_t<Value>, bool>) {
    note->truth = 1;
    note->numbers = 1;
    note->number[0] = value;
  } else if constexpr (std::is_floating_point_v<Value>) {
    note->real = 1;
    note->numbers = 1;
    note->fraction = static_cast<double>(value);
  } else if constexpr (std::is_integral_v<Value>) {
    note_number(*note, value);
  } else if constexpr (__is_enum(Value)) {
    note_number(*note, static_cast<std::int64_t>(value));
  } else if constexpr (requires {
                         requires has_seen_numbers<decltype(value.x)> && has_seen_numbers<decltype(value.y)>;
                       }) {
    note->number[0] = static_cast<std::int64_t>(value.x);
    note->number[1] = static_cast<std::int64_t>(value.y);
    note->numbers = 2;
    if constexpr (requires { requires has_seen_numbers<decltype(value.z)>; }) {
      note->number[2] = static_cast<std::int64_t>(value.z);
      note->numbers = 3;
    }
  } else if constexpr (__is_class(Value) && requires { static_cast<unsigned>(value); }) {
    note_number(*note, static_cast<unsigned>(value));
  }
}

}  // namespace noting

// What marked code calls. Each is left out where a constant expression is evaluated, so that constexpr functions stay
// so.

template <class Value>
constexpr void see_value(std::int32_t file, std::int32_t line, const Value& value) {
  if (!__builtin_is_constant_evaluated()) noting::note_value(SeenKind::value, file, line, value);
}

template <class Condition>
constexpr bool see_condition(std::int32_t file, std::int32_t line, Condition&& condition) {
  const bool holds = static_cast<bool>(condition);
  if (!__builtin_is_constant_evaluated()) noting::note_value(SeenKind::condition, file, line, holds);
  return holds;
}

template <class Value>
constexpr Value&& see_answer(std::int32_t file, std::int32_t line, Value&& value) {
  if (!__builtin_is_constant_evaluated()) noting::note_value(SeenKind::answer, file, line, value);
  return static_cast<Value&&>(value);
}

constexpr void see_turn(std::int32_t file, std::int32_t line) {
  if (!__builtin_is_constant_evaluated()) (void)noting::next_note(SeenKind::turn, file, line);
}

/// A type of several words by one, as a conversion needs it.
template <class Type>
using SeenAs = Type;

}  // namespace warploom::own
