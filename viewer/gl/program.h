#pragma once
#include <array>
#include <string>
#include <string_view>

namespace warploom::gl {

/// A shader program made of two files of the folder `shaders`. Setters ignore a name that the compiler removed.
class Program {
 public:
  /// File names such as "present.vert". Throws FileError if one cannot be read, Error with the file and the
  /// compiler's words if it does not compile or link.
  Program(std::string_view vertex_file, std::string_view fragment_file);
  Program(Program&& other) noexcept;
  Program& operator=(Program&& other) noexcept;
  ~Program();

  void use() const;
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, std::array<float, 2> value) const;
  void set(const char* name, std::array<float, 3> value) const;
  void set(const char* name, std::array<float, 4> value) const;
  unsigned id() const { return id_; }

 private:
  int location(const char* name) const;
  unsigned id_ = 0;
};

}  // namespace warploom::gl
