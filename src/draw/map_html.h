// The moving face of a map: one HTML file that pans and zooms without a network.
//
// Its script and style are files of their own (draw/page), which the build puts into the program;
// what they draw is JSON within the page. Ids and labels may hold anything: they are strings of the
// JSON in which no tag can begin, and reach the page as text only.
#pragma once

#include <string>

#include "tsmini/heartbeat.h"

#include "draw/map_content.h"

namespace tsmini {

// The bytes of the file. Completes the content's summary: what lies outside and what is left out.
std::string map_html(MapContent& content, const Heartbeat& heartbeat);

}  // namespace tsmini
