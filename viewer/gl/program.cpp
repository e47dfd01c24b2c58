#include "viewer/gl/program.h"

#include <glad/gl.h>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "viewer/base/paths.h"

namespace warploom::gl {
namespace {

/// A compiled shader; the program keeps what it needs of it, so it goes at the end of linking.
class Shader {
 public:
  Shader(GLenum stage, std::string_view file) : id_(glCreateShader(stage)) {
    try {
      const auto path = data_folder() / "shaders" / file;
      const std::string source = read_file(path);
      const char* text = source.c_str();
      glShaderSource(id_, 1, &text, nullptr);
      glCompileShader(id_);
      GLint done = 0, length = 0;
      glGetShaderiv(id_, GL_COMPILE_STATUS, &done);
      if (done) return;
      glGetShaderiv(id_, GL_INFO_LOG_LENGTH, &length);
      std::string log(static_cast<std::size_t>(length), '\0');
      glGetShaderInfoLog(id_, length, nullptr, log.data());
      throw Error(path.string() + " does not compile: " + log.c_str());
    } catch (...) {
      glDeleteShader(id_);
      throw;
    }
  }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  ~Shader() { glDeleteShader(id_); }
  GLuint id() const { return id_; }

 private:
  GLuint id_;
};

}  // namespace

Program::Program(std::string_view vertex_file, std::string_view fragment_file) {
  const Shader vertex(GL_VERTEX_SHADER, vertex_file), fragment(GL_FRAGMENT_SHADER, fragment_file);
  id_ = glCreateProgram();
  glAttachShader(id_, vertex.id());
  glAttachShader(id_, fragment.id());
  glLinkProgram(id_);
  glDetachShader(id_, vertex.id());
  glDetachShader(id_, fragment.id());
  GLint done = 0, length = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &done);
  if (done) return;
  glGetProgramiv(id_, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetProgramInfoLog(id_, length, nullptr, log.data());
  glDeleteProgram(id_);
  throw Error(std::string(vertex_file) + " and " + std::string(fragment_file) + " do not link: " + log.c_str());
}

Program::~Program() {
  // Still in use it would linger, and Dear ImGui would restore a program that is gone.
  GLint used = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &used);
  if (static_cast<unsigned>(used) == id_) glUseProgram(0);
  glDeleteProgram(id_);
}

void Program::use() const { glUseProgram(id_); }

void Program::set(const char* name, std::array<float, 4> value) const {
  glProgramUniform4fv(id_, glGetUniformLocation(id_, name), 1, value.data());
}

}  // namespace warploom::gl
