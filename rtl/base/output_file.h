// SPDX-License-Identifier: Apache-2.0
// Files that someone asked to be written: their folders are made where they are missing.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace heddle {

/// Makes the folder of a file that is about to be opened, and returns the file's name. What stands in the way is said by
/// whoever opens the file, who knows which option asked for it.
inline const std::string& with_folder(const std::string& file) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  return file;
}

}  // namespace heddle
