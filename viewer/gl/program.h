#pragma once
#include <array>
#include <string_view>

namespace warploom::gl {

/// A shader program made of two files of the folder `shaders`.
class Program {
 public:
  /// File names such as "present.vert". Throws FileError if one cannot be read, Error with the file and the
  /// compiler's words if it does not compile or link.
  Program(std::string_view vertex_file, std::string_view fragment_file);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  void use() const;
  /// Ignores a name that the compiler removed.
  void set(const char* name, std::array<float, 4> value) const;

 private:
  unsigned id_ = 0;
};

}  // namespace warploom::gl
