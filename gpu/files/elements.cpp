#include "gpu/files/elements.h"

#include <algorithm>
#include <array>

namespace warploom {

namespace {

// clang-format off
constexpr std::array<std::string_view, 118> symbols{
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl", "Ar", "K",  "Ca",
    "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr",
    "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd",
    "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg",
    "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm",
    "Md", "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

/// Residues whose atoms have symbols of one letter: amino acids with the protonation states that programs name, their
/// caps, nucleotides, water.
constexpr std::array<std::string_view, 61> one_letter_residues{
    "ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE", "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR",
    "TRP", "TYR", "VAL", "ASX", "GLX", "UNK", "ASH", "GLH", "CYX", "CYM", "HID", "HIE", "HIP", "HSD", "HSE", "HSP", "LYN",
    "ARN", "TYM", "ACE", "NME", "NMA", "NH2", "FOR", "PYL", "A",   "C",   "G",   "U",   "T",   "I",   "DA",  "DC",  "DG",
    "DT",  "DU",  "DI",  "ADE", "CYT", "GUA", "THY", "URA", "HOH", "WAT"};
// clang-format on

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
char upper(char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return upper(x) == upper(y); });
}

std::string if_element(std::string_view symbol) { return element_of(symbol) ? std::string(symbol) : std::string(); }

}  // namespace

int element_of(std::string_view symbol) {
  if (same(symbol, "D") || same(symbol, "T")) return 1;
  const auto found = std::find_if(symbols.begin(), symbols.end(), [&](auto one) { return same(one, symbol); });
  return found == symbols.end() ? 0 : static_cast<int>(found - symbols.begin()) + 1;
}

std::string_view symbol_of_number(int number) {
  return number < 1 || number > static_cast<int>(symbols.size()) ? std::string_view()
                                                                 : symbols[static_cast<std::size_t>(number) - 1];
}

std::string symbol_of_label(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_digit)) {
    int number = 0;
    for (const char c : word) number = std::min(1000, 10 * number + (c - '0'));
    return std::string(symbol_of_number(number));
  }
  std::size_t letters = 0;
  while (letters < word.size() && is_letter(word[letters])) ++letters;
  return if_element(word.substr(0, letters));
}

std::string symbol_of_atom_name(std::string_view name, std::string_view residue) {
  const auto first = std::find_if(name.begin(), name.end(), is_letter);
  if (first == name.end()) return {};
  const std::string_view one(&*first, 1);
  const bool early = std::any_of(one_letter_residues.begin(), one_letter_residues.end(),
                                 [&](auto known) { return same(known, residue); });
  const bool two = name.size() == 4 && is_letter(name[0]) && is_letter(name[1]) && !early;
  // A name that fills four columns is an element of two letters only where a number follows them; of hydrogens never.
  const bool full = two && name[3] != ' ';
  if (two && (!full || (!is_letter(name[2]) && upper(name[0]) != 'H')))
    if (auto symbol = if_element(name.substr(0, 2)); !symbol.empty()) return symbol;
  return if_element(one);
}

}  // namespace warploom
