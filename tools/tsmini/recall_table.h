// A curve of recall as people read it.
#pragma once

#include <string>
#include <vector>

#include "tsmini/recall_curve.h"

namespace tsmini::cli {

// A heading, and a line for each of some numbers of candidates, up to the first that holds all:
//
//   candidates  of 1   of 10   of 50
//           10  98.1 %  64 %       -
std::vector<std::string> recall_lines(const RecallCurve& curve);

}  // namespace tsmini::cli
