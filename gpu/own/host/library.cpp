#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "gpu/own/host/host.h"

namespace warploom::own {

namespace {

/// A part of the file, by value: it may lie anywhere, and end anywhere.
template <class Part>
bool read_at(const std::string& file, std::uint64_t at, Part& part) {
  if (at > file.size() || file.size() - at < sizeof part) return false;
  std::memcpy(&part, file.data() + at, sizeof part);
  return true;
}

}  // namespace

bool runs_when_loaded(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  Elf64_Ehdr head;
  if (!read_at(file, 0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64)
    return true;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part;
    if (!read_at(file, head.e_phoff + std::uint64_t{i} * head.e_phentsize, part)) return true;
    if (part.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= part.p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      if (!read_at(file, part.p_offset + at, entry)) return true;
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_INIT || entry.d_tag == DT_INIT_ARRAY || entry.d_tag == DT_PREINIT_ARRAY) return true;
    }
  }
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_at(file, head.e_shoff + std::uint64_t{i} * head.e_shentsize, section)) return true;
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read_at(file, section.sh_offset + at, symbol)) return true;
      if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) return true;
    }
  }
  return false;
}

}  // namespace warploom::own
