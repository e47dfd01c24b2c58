#pragma once
// What the headers of kernels name of the standard library, for compilers that have none (NVRTC) or that must be quick:
// reading the real one takes most of the time that a small source takes. Kernels' headers keep to it; a name that is
// missing here is declared here, or not used there. tests/own/kit_test.cpp compiles them all against it.

using size_t = decltype(sizeof 0);
#ifndef __CUDACC_RTC__
extern "C" {
void* memcpy(void*, const void*, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
float cbrtf(float) noexcept;
double cbrt(double) noexcept;
float copysignf(float, float) noexcept;
float fabsf(float) noexcept;
double fabs(double) noexcept;
float floorf(float) noexcept;
double floor(double) noexcept;
float fmaf(float, float, float) noexcept;
double fma(double, double, double) noexcept;
float frexpf(float, int*) noexcept;
float ldexpf(float, int) noexcept;
float nearbyintf(float) noexcept;
double pow(double, double) noexcept;
float sqrtf(float) noexcept;
double sqrt(double) noexcept;
}
#define HUGE_VALF __builtin_huge_valf()
#endif

namespace std {

using size_t = ::size_t;
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using nullptr_t = decltype(nullptr);
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned;
#ifdef __CUDACC_RTC__
using int64_t = long long;
using uint64_t = unsigned long long;
#else
using int64_t = long;
using uint64_t = unsigned long;
#endif
using intptr_t = long;
using uintptr_t = unsigned long;
enum class byte : unsigned char {};

// ---- traits ---------------------------------------------------------------------------------------------------------
template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using type = integral_constant;
  constexpr operator T() const { return v; }
};
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;
template <bool, class A, class>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool which, class A, class B>
using conditional_t = typename conditional<which, A, B>::type;
template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class A, class B>
struct is_same : integral_constant<bool, is_same_v<A, B>> {};
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = T;
template <class T>
struct remove_reference : type_identity<T> {};
template <class T>
struct remove_reference<T&> : type_identity<T> {};
template <class T>
struct remove_reference<T&&> : type_identity<T> {};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
struct remove_cv : type_identity<T> {};
template <class T>
struct remove_cv<const T> : type_identity<T> {};
template <class T>
struct remove_cv<volatile T> : type_identity<T> {};
template <class T>
struct remove_cv<const volatile T> : type_identity<T> {};
template <class T>
using remove_cv_t = typename remove_cv<T>::type;
template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T>
using decay_t = remove_cvref_t<T>;
template <class T>
inline constexpr bool is_void_v = is_same_v<remove_cv_t<T>, void>;
template <class T>
inline constexpr bool is_empty_v = __is_empty(T);
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T>
inline constexpr bool is_trivially_default_constructible_v = __is_trivially_constructible(T);
template <class T, class... With>
inline constexpr bool is_constructible_v = __is_constructible(T, With...);
template <class T, class... Others>
inline constexpr bool is_one_of_v = (is_same_v<T, Others> || ...);
template <class T>
inline constexpr bool is_integral_v =
    is_one_of_v<remove_cv_t<T>, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                unsigned long, long long, unsigned long long>;
template <class T>
inline constexpr bool is_floating_point_v = is_one_of_v<remove_cv_t<T>, float, double>;
template <class T>
inline constexpr bool is_unsigned_v = is_integral_v<T>&& T(-1) > T(0);
template <class T>
T&& declval() noexcept;
template <class F, class... With>
using invoke_result_t = decltype(declval<F>()(declval<With>()...));
template <class F, class... With>
inline constexpr bool is_invocable_v = requires {
  declval<F>()(declval<With>()...);
};

// ---- concepts -------------------------------------------------------------------------------------------------------
template <class From, class To>
concept convertible_to = requires(From (&from)(), void (&to)(To)) {
  to(from());
};
template <class A, class B>
concept same_as = is_same_v<A, B> && is_same_v<B, A>;
template <class F, class... With>
concept invocable = is_invocable_v<F, With...>;
template <class T>
concept integral = is_integral_v<T>;
template <class T>
concept floating_point = is_floating_point_v<T>;

// ---- values ---------------------------------------------------------------------------------------------------------
#ifndef __CUDACC_RTC__
template <class T>
constexpr remove_reference_t<T>&& move(T&& x) noexcept {
  return static_cast<remove_reference_t<T>&&>(x);
}
template <class T>
constexpr T&& forward(remove_reference_t<T>& x) noexcept {
  return static_cast<T&&>(x);
}
template <class T>
class initializer_list {
  const T* first_;
  size_t size_;
  constexpr initializer_list(const T* first, size_t size) : first_(first), size_(size) {}

 public:
  constexpr size_t size() const { return size_; }
  constexpr const T* begin() const { return first_; }
  constexpr const T* end() const { return first_ + size_; }
};
#endif
template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
constexpr void swap(T& a, T& b) {
  T before = a;
  a = b;
  b = before;
}
template <class T, class U = T>
constexpr T exchange(T& a, U&& b) {
  T before = a;
  a = static_cast<U&&>(b);
  return before;
}
constexpr int countl_zero(unsigned x) {
  int zeros = 32;
  for (; x; x >>= 1) --zeros;
  return zeros;
}
constexpr int bit_width(unsigned x) { return 32 - countl_zero(x); }
constexpr bool has_single_bit(unsigned x) { return x && !(x & (x - 1)); }
template <class T>
struct numeric_limits;
template <>
struct numeric_limits<unsigned> {
  static constexpr unsigned max() { return ~0u; }
};

template <class T, T...>
struct integer_sequence {};
#ifdef __clang__
template <class T, T n>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, n>;
#elif defined __CUDACC_RTC__
namespace small {
template <class T, class Sequence>
struct Longer;
template <class T, T... i>
struct Longer<T, integer_sequence<T, i...>> : type_identity<integer_sequence<T, i..., T(sizeof...(i))>> {};
template <class T, unsigned n>
struct Sequence : Longer<T, typename Sequence<T, n - 1>::type> {};
template <class T>
struct Sequence<T, 0> : type_identity<integer_sequence<T>> {};
}  // namespace small
template <class T, T n>
using make_integer_sequence = typename small::Sequence<T, unsigned(n)>::type;
#else
template <class T, T n>
using make_integer_sequence = integer_sequence<T, __integer_pack(n)...>;
#endif
template <size_t n>
using make_index_sequence = make_integer_sequence<size_t, n>;
template <size_t... i>
using index_sequence = integer_sequence<size_t, i...>;

// ---- of the host's halves of the headers: named, never run where this is the library --------------------------------
class string {
 public:
  string();
  string(const char*);
  string(const string&);
  ~string();
  string& operator=(const string&);
  string& operator+=(const string&);
  bool empty() const;
  size_t size() const;
  char operator[](size_t) const;
  friend string operator+(const string&, const string&);
  friend bool operator==(const string&, const string&);
};
string to_string(int);
string to_string(unsigned);
string to_string(unsigned long);
string to_string(unsigned long long);
class string_view {
 public:
  string_view(const char*);
};
template <class T>
class vector {
 public:
  vector();
  explicit vector(size_t);
  vector(size_t, const T&);
  vector(initializer_list<T>);
  vector(const vector&);
  ~vector();
  vector& operator=(const vector&);
  T& operator[](size_t) const;
  T* begin() const;
  T* end() const;
  T* data() const;
  size_t size() const;
  bool empty() const;
  void push_back(const T&);
  void insert(T*, const T*, const T*);
  void reserve(size_t);
  void resize(size_t);
};
template <class T>
class optional {
 public:
  optional();
  optional(const T&);
  explicit operator bool() const;
  T& operator*() const;
  T* operator->() const;
};
template <class>
class function;
template <class Result, class... With>
class function<Result(With...)> {
 public:
  function();
  Result operator()(With...) const;
};
template <class>
class unique_ptr;
template <class T>
class unique_ptr<T[]> {
 public:
  unique_ptr();
  ~unique_ptr();
  void reset(T*);
  T* get() const;
};
template <class T>
class span {
 public:
  T* begin() const;
  T* end() const;
  size_t size() const;
};
namespace filesystem {
class path {
 public:
  path();
  path(const path&);
  ~path();
};
}  // namespace filesystem

// ---- numbers --------------------------------------------------------------------------------------------------------
#ifdef __CUDACC_RTC__
using ::abs;
using ::cbrt;
using ::copysign;
using ::fabs;
using ::floor;
using ::fma;
using ::memcpy;
using ::nearbyint;
using ::pow;
using ::sqrt;
#else
using ::cbrt;
using ::fabs;
using ::floor;
using ::fma;
using ::memcpy;
using ::memset;
using ::pow;
using ::sqrt;
constexpr int abs(int x) { return x < 0 ? -x : x; }
constexpr int64_t abs(int64_t x) { return x < 0 ? -x : x; }
inline float abs(float x) { return ::fabsf(x); }
inline double abs(double x) { return ::fabs(x); }
inline float fabs(float x) { return ::fabsf(x); }
inline float sqrt(float x) { return ::sqrtf(x); }
inline float cbrt(float x) { return ::cbrtf(x); }
inline float floor(float x) { return ::floorf(x); }
inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
inline float nearbyint(float x) { return ::nearbyintf(x); }
inline float copysign(float x, float y) { return ::copysignf(x, y); }
inline float frexp(float x, int* exponent) { return ::frexpf(x, exponent); }
inline float ldexp(float x, int exponent) { return ::ldexpf(x, exponent); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
#endif

}  // namespace std

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
#define INFINITY __builtin_huge_valf()
#define NAN __builtin_nanf("")
