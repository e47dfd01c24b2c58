#include "viewer/gl/framebuffer.h"

#include <glad/gl.h>

#include "gpu/core/error.h"
#include "viewer/gl/state.h"

namespace warploom::gl {

Framebuffer::Framebuffer(int width, int height) : colour_(width, height) {
  glCreateFramebuffers(1, &id_);
  glNamedFramebufferTexture(id_, GL_COLOR_ATTACHMENT0, colour_.id(), 0);
  const GLenum status = glCheckNamedFramebufferStatus(id_, GL_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return;
  glDeleteFramebuffers(1, &id_);
  throw Error("OpenGL refuses a framebuffer of " + std::to_string(width) + " x " + std::to_string(height) +
              " pixels, status " + std::to_string(status));
}

Framebuffer::~Framebuffer() { glDeleteFramebuffers(1, &id_); }

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, id_);
  glViewport(0, 0, width(), height());
}

std::vector<Rgba> Framebuffer::read_pixels() const {
  bind();
  return gl::read_pixels(width(), height());
}

}  // namespace warploom::gl
