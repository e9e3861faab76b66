// SPDX-License-Identifier: Apache-2.0
// An error in PTX text: file:line:column, what was expected, and the text of the line with a caret.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::ptx {

struct Location {
  unsigned line = 0, column = 0;  // from 1
};

class Error : public std::runtime_error {
 public:
  Error(const std::string& file, Location where, const std::string& message, const std::string& line_text);

  Location where() const { return where_; }

 private:
  Location where_;
};

}  // namespace heddle::ptx
