#include "common/shell_word.h"

#include <algorithm>

namespace tsmini::cli {
namespace {

// Letters of other scripts are plain, too.
bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || static_cast<unsigned char>(letter) >= 0x80 ||
         std::string_view("_-./,:=+@%").find(letter) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string quoted;
  if (word.find_first_of("\"$`\\!") == std::string_view::npos) {
    return quoted.append("\"").append(word).append("\"");
  }
  for (const char letter : word) {
    if (letter == '\'') {
      quoted += "'\\''";
    } else {
      quoted += letter;
    }
  }
  return "'" + quoted + "'";
}

}  // namespace tsmini::cli
