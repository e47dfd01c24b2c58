#include <algorithm>

#include "viewer/ui/text.h"

namespace warploom::ui {
namespace {

struct Spelling {
  char32_t character;
  const char* ascii;
};

constexpr Spelling spellings[] = {
    {U'\u00b1', "+-"},    {U'\u00b2', "^2"},    {U'\u00b3', "^3"},    {U'\u00b5', "u"},      {U'\u00b7', "."},
    {U'\u00b9', "^1"},    {U'\u00bc', "1/4"},   {U'\u00bd', "1/2"},   {U'\u00d7', "x"},      {U'\u0393', "Gamma"},
    {U'\u0394', "Delta"}, {U'\u03a3', "Sigma"}, {U'\u03b1', "alpha"}, {U'\u03b2', "beta"},   {U'\u03b3', "gamma"},
    {U'\u03b4', "delta"}, {U'\u03b5', "eps"},   {U'\u03b8', "theta"}, {U'\u03ba', "kappa"},  {U'\u03bb', "lambda"},
    {U'\u03bc', "mu"},    {U'\u03bd', "nu"},    {U'\u03c0', "pi"},    {U'\u03c1', "rho"},    {U'\u03c3', "sigma"},
    {U'\u03c4', "tau"},   {U'\u03c6', "phi"},   {U'\u03c9', "omega"}, {U'\u2010', "-"},      {U'\u2011', "-"},
    {U'\u2012', "-"},     {U'\u2013', "-"},     {U'\u2014', "-"},     {U'\u2018', "'"},      {U'\u2019', "'"},
    {U'\u201c', "\""},    {U'\u201d', "\""},    {U'\u2022', "*"},     {U'\u2026', "..."},    {U'\u2030', " per mille"},
    {U'\u2032', "'"},     {U'\u207a', "^+"},    {U'\u207b', "^-"},    {U'\u207f', "^n"},     {U'\u2190', "<-"},
    {U'\u2191', "up"},    {U'\u2192', "->"},    {U'\u2193', "down"},  {U'\u2194', "<->"},    {U'\u21d2', "=>"},
    {U'\u21d4', "<=>"},   {U'\u2208', " in "},  {U'\u2211', "sum "},  {U'\u2212', "-"},      {U'\u221a', "sqrt"},
    {U'\u221e', "inf"},   {U'\u2248', "~"},     {U'\u2260', "!="},    {U'\u2264', "<="},     {U'\u2265', ">="},
    {U'\u2282', " in "},  {U'\u2308', "ceil("}, {U'\u2309', ")"},     {U'\u230a', "floor("}, {U'\u230b', ")"},
    {U'\u2318', "Cmd"},   {U'\u25a0', "#"},     {U'\u25b2', "^"},     {U'\u25bc', "v"},      {U'\u25cf', "*"},
    {U'\u2713', "yes"},   {U'\u2717', "no"},    {U'\u27e8', "<"},     {U'\u27e9', ">"}};

/// Takes the first character off `text`; a byte that begins none stands for itself.
char32_t take(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0xc0 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  char32_t character = length == 1 ? byte(0) : byte(0) & (0xffu >> (length + 1));
  std::size_t taken = 1;
  for (; taken < length && taken < text.size() && (byte(taken) & 0xc0) == 0x80; ++taken)
    character = character << 6 | (byte(taken) & 0x3f);
  text.remove_prefix(taken);
  return character;
}

std::string ascii(char32_t character) {
  // Raised and lowered digits.
  if (character == U'\u2070' || (character >= U'\u2074' && character <= U'\u2079'))
    return std::string("^") + static_cast<char>('0' + (character - U'\u2070'));
  if (character >= U'\u2080' && character <= U'\u2089')
    return std::string("_") + static_cast<char>('0' + (character - U'\u2080'));
  for (const auto& spelling : spellings)
    if (spelling.character == character) return spelling.ascii;
  return "_";
}

/// \u00b9, \u00b2 and \u00b3 are Latin-1, the other raised digits are not: beside one that is spelled, they are too.
bool raised_latin(char32_t character) {
  return character == U'\u00b9' || character == U'\u00b2' || character == U'\u00b3';
}

bool raised_beyond(char32_t character) { return character >= U'\u2070' && character <= U'\u207b'; }

bool has(const ImFont* font, char32_t character) {
  return character < 0x80 ||
         (character <= 0xffff && font->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr);
}

}  // namespace

std::string spelled(const ImFont* font, std::string_view text) {
  // Most words of a frame are plain: all bits at once, which a compiler does several bytes at a time.
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  if (all < 0x80) return std::string(text);
  bool spells_raised = false, spells = false;
  for (std::string_view rest = text; !rest.empty();) {
    const char32_t character = take(rest);
    const bool lacks = !has(font, character);
    spells = spells || lacks;
    spells_raised = spells_raised || (lacks && raised_beyond(character));
  }
  if (!spells) return std::string(text);
  std::string result;
  bool raised = false;  // an exponent is raised once: 10^-12, not 10^-^1^2
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t character = take(text);
    const bool raises = raised_beyond(character) || raised_latin(character);
    if (has(font, character) && !(raises && spells_raised))
      result += before.substr(0, before.size() - text.size());
    else
      result += ascii(character).substr(raises && raised ? 1 : 0);
    raised = raises;
  }
  return result;
}

}  // namespace warploom::ui
