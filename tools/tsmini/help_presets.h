// `tsmini help presets`: a table that reads well on a terminal and is Markdown, too.
#pragma once

#include <string>

namespace tsmini::cli {

std::string presets_page();

}  // namespace tsmini::cli
