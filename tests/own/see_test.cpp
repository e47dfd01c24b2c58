#include "gpu/own/see.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/own/compile_cpp.h"
#include "gpu/own/kept.h"
#include "gpu/own/kit.h"

// Marking a text so that it notes what it computes.

namespace warploom {
namespace {

namespace fs = std::filesystem;

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// A marked text, with short names for what is put in.
std::string brief(std::string text) {
  replace_all(text, "::warploom::own::", "");
  replace_all(text, "see_value(7, ", "V(");
  replace_all(text, "see_condition(7, ", "C(");
  replace_all(text, "see_answer(7, ", "A(");
  replace_all(text, "see_turn(7, ", "T(");
  replace_all(text, "SeenAs<", "<");
  return text;
}
/// What stands in a function, marked.
std::string body(const std::string& text) {
  const std::string all = brief(marked("void f(int x) {" + text + "}", 7));
  return all.substr(15, all.size() - 16);
}
void stays(const std::string& text) { EXPECT_EQ(body(text), text); }

TEST(See, DeclarationsAndAssignmentsSayTheirValue) {
  EXPECT_EQ(body("int y = x;"), "int y = x; V(1, y);");
  EXPECT_EQ(body("const std::uint32_t a = f<1>(x, 2), b{2};"),
            "const std::uint32_t a = f<1>(x, 2), b{2}; V(1, a); V(1, b);");
  EXPECT_EQ(body("unsigned& w = x % 2 ? p.y : p.x;"), "unsigned& w = x % 2 ? p.y : p.x; V(1, w);");
  EXPECT_EQ(body("std::map<int, std::vector<int>> m(3), n;"), "std::map<int, std::vector<int>> m(3), n; V(1, m);");
  EXPECT_EQ(body("\nat.x +=\n 3;"), "\nat.x +=\n 3; V(2, at . x);");
  EXPECT_EQ(body("a.x = b.y = 0, c <<= 2;"), "a.x = b.y = 0, c <<= 2; V(1, a . x); V(1, b . y); V(1, c);");
  EXPECT_EQ(body("++x; y--; *p = 1;"), "++x; V(1, x); y--; V(1, y); *p = 1; V(1, * p);");
  EXPECT_EQ(body("a[i + 1] = 2; this->b = 1;"), "a[i + 1] = 2; V(1, a [ i + 1 ]); this->b = 1; V(1, this -> b);");
  for (const char* text :
       {"int y;", "f(x);", "a[++i] = 2;", "f(x).y = 1;", "const auto [a, b] = g();", "auto f = [&](int y) { y = 2; };",
        "int t[2] = {1, 2};", "using A = int;", "typedef int B;", "struct S { int x = 1; };", "asm(\"\" : \"=r\"(x));",
        "static_assert(true);", "throw x = 1;", "MACRO(a) x = 1;", "*p++ = 1;", ";", "goto end; end:;", "delete x;"})
    stays(text);
}

TEST(See, ConditionsAndLoopsSayWhereTheyGo) {
  EXPECT_EQ(body("if (x) y = 1; else if (!x) z(); else { w = 2; }"),
            "if (C(1, (x))) { y = 1; V(1, y); } else if (C(1, (!x))) { z(); } else { w = 2; V(1, w); }");
  EXPECT_EQ(body("for (int i = 0; i < 3; ++i)\n for (;;) --x;"),
            "for (int i = 0; i < 3; ++i)\n { T(1); V(1, i); for (;;) { T(2); --x; V(2, x); } }");
  EXPECT_EQ(body("while (x > 1) {\n--x; }"), "while (C(1, (x > 1))) { T(1);\n--x; V(2, x); }");
  EXPECT_EQ(body("do --x; while (x);"), "do { T(1); --x; V(1, x); } while (C(1, (x)));");
  EXPECT_EQ(body("for (const auto& y : list) g(y);"), "for (const auto& y : list) { T(1); V(1, y); g(y); }");
  EXPECT_EQ(body("if constexpr (sizeof(int) == 4) x = 1;"), "if constexpr (sizeof(int) == 4) { x = 1; V(1, x); }");
  EXPECT_EQ(body("if (const int y = x; y) z = y;"), "if (const int y = x; y) { z = y; V(1, z); }");
  EXPECT_EQ(body("if (a & b && c * d) ;"), "if (C(1, (a & b && c * d))) { ; }");
  EXPECT_EQ(body("try { x = 1; } catch (...) { x = 2; }"), "try { x = 1; V(1, x); } catch (...) { x = 2; V(1, x); }");
  EXPECT_EQ(body("if (x) [[unlikely]] return;"), "if (C(1, (x))) { [[unlikely]] return; }");
  for (const char* text : {"switch (x) { case 1: x = 2; break; default: if (x) x = 3; }", "if (auto* y = g()) ;",
                           "g([&] { if (x) return 1; x = 2; return x; });"}) {
    const std::string all = body(text);
    EXPECT_TRUE(all.find("V(") == all.npos && all.find("C(") == all.npos) << all;
  }
}

TEST(See, AnswersHaveTheTypeThatIsReturned) {
  const auto of = [](const std::string& text) { return brief(marked(text, 7)); };
  EXPECT_EQ(of("Place f() { return {1, 2}; }"), "Place f() { return A(1, <Place> {1, 2}); }");
  EXPECT_EQ(of("static constexpr unsigned long f() { return 1, 2; }"),
            "static constexpr unsigned long f() { return A(1, <unsigned long>(( 1, 2))); }");
  EXPECT_EQ(of("template <class T> auto f(T x) -> std::vector<T> { return{x}; }"),
            "template <class T> auto f(T x) -> std::vector<T> { return A(1, <std :: vector < T >>{x}); }");
  EXPECT_EQ(of("auto f() { return x; }"), "auto f() { return A(1, ( x)); }");
  EXPECT_EQ(of("int& f() { return x; }"), "int& f() { return A(1, ( x)); }");
  for (const char* text : {"auto f() { return {1}; }", "int* f() { return 0; }", "void f() { return g(); }",
                           "decltype(auto) f() { return x; }", "consteval int f() { int x = 1; return x; }"})
    EXPECT_EQ(of(text), text);
}

TEST(See, TheseFunctionsAloneAreMarked) {
  const std::string text =
      "struct A { bool f() const noexcept { return x; } bool g() { return f(); }\n"
      "template <class G> MACRO static Place h(G& g) requires std::is_same_v<G, int> { return {f()}; } };\n"
      "namespace { inline int f(int x) { return x; } }\nint y = f(1);\nint A::g() { return 1; }\n";
  const std::string_view names[]{"f", "h"};
  const std::string some = brief(marked(text, 7, names));
  EXPECT_NE(some.find("noexcept { return A(1, <bool>(( x))); }"), some.npos) << some;
  EXPECT_NE(some.find("g() { return f(); }"), some.npos);
  EXPECT_NE(some.find("{ return A(2, <Place> {f()}); } };"), some.npos) << some;
  EXPECT_NE(some.find("{ return A(3, <int>(( x))); } }\nint y = f(1);\nint A::g() { return 1; }"), some.npos);
  // Outside of classes.
  const std::string all = brief(marked(text, 7));
  EXPECT_EQ(all.substr(0, text.find("namespace")), text.substr(0, text.find("namespace")));
  EXPECT_NE(all.find("A(3, <int>(( x)))"), all.npos);
  EXPECT_NE(all.find("int A::g() { return A(5, <int>(( 1))); }"), all.npos) << all;
}

TEST(See, CommentsStringsAndDirectivesAreNoCode) {
  EXPECT_EQ(body("x = 1; // y = 2; {\n/* z = 3; ( */ w = 4; // }\n"),
            "x = 1; V(1, x); // y = 2; {\n/* z = 3; ( */ w = 4; V(2, w); // }\n");
  EXPECT_EQ(body("s = \"a;{\\\"(\" \"}\"; c = ';'; n = 1'000;"),
            "s = \"a;{\\\"(\" \"}\"; V(1, s); c = ';'; V(1, c); n = 1'000; V(1, n);");
  EXPECT_EQ(body("s = R\"x(;}\")\" )x\";\ny = 1;"), "s = R\"x(;}\")\" )x\"; V(1, s);\ny = 1; V(2, y);");
  EXPECT_EQ(body("\r\nx = 1;\r\nif (x)\r\n  y = 2;\r\n"),
            "\r\nx = 1; V(2, x);\r\nif (C(3, (x)))\r\n  { y = 2; V(4, y); }\r\n");
  EXPECT_EQ(body("\n#define A(x) \\\n  { x = 1; \nx = 1;\n#ifdef B\ny = 2;\n#else\nz = 3;\n#endif\n"),
            "\n#define A(x) \\\n  { x = 1; \nx = 1; V(4, x);\n#ifdef B\ny = 2; V(6, y);\n#else\nz = 3; V(8, z);\n"
            "#endif\n");
  // One statement or another: no bracket serves both, and the function stays as it is.
  stays("\nx = 1;\nif (x)\n#ifdef B\ny = 2;\n#else\nz = 3;\n#endif\n");
  EXPECT_EQ(body("größe = 1;"), "größe = 1; V(1, größe);");
  for (const char* text :
       {"int f() { return 1; } }", "int f( { return 1; }", "int f() { return 1; ", "", "f", "{", "f("})
    EXPECT_EQ(marked(text, 0), text);
}

const std::string example = R"(// Everything at once.
struct Place { unsigned x, y; };
constexpr int twice(int x) { int y = x; y *= 2; return y; }
static_assert(twice(3) == 6);
template <class T> T least(T a, T b) { if (a < b) return a; return b; }
Place fold(unsigned n) {
  Place at{n, 1};
  for (unsigned i = 0; i < n; ++i) if (i % 3 == 0) at.x += i; else if (i % 3 == 1) at.y ^= at.x;
  else for (unsigned j = i; j; --j) at.x ^= j * twice(static_cast<int>(j));
  do at.y += 3; while (at.y < 100);
  while (at.x > 1000) at.x /= 2;
  for (const int more : {1, 2, 3}) at.y = at.y * 31 + static_cast<unsigned>(more);
  switch (at.x % 3) { case 0: at.x = 5; break; case 1: ++at.x; [[fallthrough]]; default: at.y--; }
  const auto add = [&](unsigned by) { at.x += by; return at.x; };
  if (const unsigned sum = add(2); sum % 2) at.y = sum;
  unsigned table[2] = {1, 2}, *where = table;
  where[at.x % 2] <<= 3, *where |= 1;
  if constexpr (sizeof(unsigned) == 4) at.x += table[0]; else at.y += table[1];
  return {least(at.x, at.y), at.x ^ at.y};
}
)";

TEST(See, AnyTextIsTaken) {
  std::mt19937 random(11);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string pieces[] = {"{",    "}",  "(",     ")",  ";",  "if", "else", "for", "return", "=",
                                "<",    ">",  "\"",    "'",  "\\", "\n", "#",    "//",  "/*",     "*/",
                                "R\"(", "do", "while", "::", ",",  "[",  "]",    " ",   "\xff"};
  for (int run = 0; run < 10000; ++run) {
    std::string text = example;
    for (unsigned i = random() % 8; i > 0; --i) {
      const auto at = random() % text.size();
      if (random() % 2)
        text.erase(at, random() % 20);
      else
        text.insert(at, pieces[random() % std::size(pieces)]);
    }
    ASSERT_EQ(lines(marked(text, 0)), lines(text)) << text;
  }
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (unsigned i = random() % 200; i > 0; --i)
      text += run % 2 ? static_cast<char>(random()) : pieces[random() % std::size(pieces)][0];
    ASSERT_EQ(lines(marked(text, 0)), lines(text));
  }
  // Deep ones: no stack is long enough for a call a level.
  std::string deep = "void f() ", blocks(30000, '{');
  for (int i = 0; i < 20000; ++i) deep += "if (x) for (;;) ";
  (void)marked("void f() {" + deep + "x = 1; }", 0);
  (void)marked("void f() " + blocks + std::string(30000, '}'), 0);
}

/// Runs a program made of a text by the compiler of own maps. What it said.
std::string output_of(const std::string& source) {
  const CppCompiler compiler = find_cpp_compiler();
  const StagingFolder folder(kept_folder() / "see");
  const fs::path file = folder.path() / "main.cpp", program = folder.path() / "main",
                 output = folder.path() / "out.txt";
  write_atomically(file, source);
  const std::string command = compiler.path + " -std=c++20 -w -I" WARPLOOM_SOURCE_DIR " -o " + program.string() + " " +
                              file.string() + " > " + output.string() + " 2>&1 && " + program.string() + " > " +
                              output.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(output);
  return read_file(output);
}

TEST(See, MarkedCodeComputesTheSame) {
  const std::string begin = "#include <cstdio>\n#include <initializer_list>\n#include \"gpu/own/seen.h\"\n";
  const std::string end =
      "warploom::own::SeenNotes notes;\n"
      "int main() { const warploom::own::Seeing seeing(&notes);\n"
      "for (unsigned n = 0; n < 30; ++n) { const Place at = fold(n); std::printf(\"%u %u\\n\", at.x, at.y); }\n"
      "return (notes.count > 100) == NOTES ? 0 : 1; }\n";
  const std::string plain = output_of("#define NOTES false\n" + begin + example + end);
  EXPECT_GT(plain.size(), 100u);
  EXPECT_EQ(output_of("#define NOTES true\n" + begin + marked(example, 0) + end), plain);
}

TEST(See, EveryExampleOfOwnMapsCompilesMarked) {
  const OwnScene fractal{{"gpu/scenes/fractal/own/entry.h", "gpu/scenes/fractal/works/embedded.h",
                          "gpu/scenes/fractal/works/list.h", "gpu/own/seen.h"},
                         "FractalState<Embedded>",
                         "using Scene = FractalScene<Embedded, SubBoxes, Life>;",
                         nullptr};
  OwnScene rule = fractal;
  rule.uses = "using Scene = FractalScene<Embedded, SubBoxes, RuleWork<TheRule>>;";
  int count = 0;
  for (const auto& entry : fs::directory_iterator(WARPLOOM_SOURCE_DIR "/assets/own")) {
    OwnSource text = read_own_file(entry.path());
    // Of simplices alone.
    replace_all(text.source, "d.corner", "false");
    const std::string source = marked(text.source, 3);
    // All that a whole step does stands in a lambda.
    if (text.form != "kernel") {
      EXPECT_NE(source, text.source) << entry.path();
    }
    text.source = source;
    try {
      OwnScene scene = fractal;
      if (text.form == "rule") {
        scene = rule;
        scene.headers.insert(scene.headers.end() - 1, "gpu/scenes/fractal/maps/list.h");
        scene.uses = "using Scene = MappedFractal<Embedded, BoundingBox, RuleWork<TheRule>>;";
      }
      EXPECT_FALSE(compile_own(text, scene, Backend::cpu, nullptr).checked.empty());
    } catch (const Error& error) {
      ADD_FAILURE() << entry.path() << ": " << error.what() << "\n" << source;
    }
    ++count;
  }
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace warploom
