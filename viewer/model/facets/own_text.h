#pragma once
#include <string>
#include <variant>
#include <vector>

namespace warploom {

/// A key of a section of a scene text, with a text or a list of texts.
struct TextField {
  std::string key;
  std::variant<std::string, std::vector<std::string>> value;
};

/// A scene with a section of its own in scene texts: something that a parameter names and a reader may not have.
class OwnText {
 public:
  /// Its name, without brackets.
  virtual const char* section() const = 0;
  /// The parameter that it stands for: not read where the section is there.
  virtual const char* parameter() const = 0;
  /// What is to be written; empty: nothing, everybody has what the parameter names.
  virtual std::vector<TextField> written() const = 0;
  /// Takes over what was read. Throws UsageError naming what is wrong; then nothing is taken.
  virtual void read(const std::vector<TextField>& fields) = 0;

 protected:
  ~OwnText() = default;
};

}  // namespace warploom
