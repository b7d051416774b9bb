// Writes pictures as PNG: 8 bits a channel, deflated, each row with whichever of the filters Sub
// and Up leaves less to store.
#pragma once

#include <string>

#include "draw/image.h"

namespace tsmini {

// The bytes of a .png file. The same picture gives the same bytes with the same zlib.
std::string png_from(const Image& image);

// The same for levels from black to white, row by row.
std::string png_from(const GreyImage& image);

}  // namespace tsmini
