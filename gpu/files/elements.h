#pragma once
#include <string>
#include <string_view>

namespace warploom {

/// The atomic number of a chemical element by its symbol in any case, "D" and "T" being hydrogen; 0: none has it.
int element_of(std::string_view symbol);

/// The symbol of an element by its atomic number; empty: none has it.
std::string_view symbol_of_number(int number);

/// The element that a word of a file means, as its symbol: a symbol in any case, an atomic number, or a label whose
/// letters before the first digit or sign are the symbol ("C12", "O1-", "C_a"). Empty: none.
std::string symbol_of_label(std::string_view word);

/// The element of an atom's name of four characters, columns 13-16 of a PDB file, in a residue: two letters that begin
/// in the first column are an element of two letters, unless they begin a hydrogen of four characters or stand in an
/// amino acid or a nucleotide, whose names some programs write one column early. Empty: none.
std::string symbol_of_atom_name(std::string_view name, std::string_view residue);

}  // namespace warploom
