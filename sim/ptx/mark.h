// SPDX-License-Identifier: Apache-2.0
// Marks: comments that say where a program expects lanes to meet (SR sec. 4.1). Compilers keep a comment of inline
// assembly where it stands, and every other reader of PTX passes over it.
//
//   // heddle.predict NAME [threshold=N]
//   // heddle.predict_function FUNCTION [threshold=N]
//   // heddle.reconverge NAME
//
// NAME is of the prediction and no label of PTX, for compilers rename those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::ptx {

struct Mark {
  enum class Kind : std::uint8_t { None, Predict, PredictFunction, Reconverge };
  Kind kind = Kind::None;
  std::string name;                   // of the prediction, or of the function
  std::optional<unsigned> threshold;  // of a soft barrier: lanes go on when more than so many are there (SR sec. 4.6)
};

/// Is the text behind "//" that of a mark, be it right or wrong? Other comments are nobody's business.
bool is_mark(const std::string& comment);

/// What is wrong with a mark, and how far from its first character.
struct MarkError {
  std::size_t offset = 0;
  std::string message;
};

/// \throws MarkError
Mark parse_mark(const std::string& comment);

}  // namespace heddle::ptx
