// Amounts for people: counts, numbers, shares, spans of time, sizes. All programs say them with
// these, so that no result reads "1 queries", "6.2e+03 ms" or "1e+02 %".
//
//   counted(1, "query")        "1 query";  counted(2000, "query")  "2,000 queries"
//   human_number(6234.5)       "6,235";    human_number(1.8432)    "1.84"
//   human_share(0.0361)        "3.6 %";    human_share(1)          "100 %"
//   human_seconds(0.00184)     "1.84 ms";  human_seconds(125)      "2 min 05 s"
//   human_bytes(1.9e9)         "1.9 GB"
//
// What a program reads (JSON, CSV) has all digits and is none of their business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"

namespace tsmini {

// A number of things, in the plural where it is not one: `thing` is its singular.
std::string counted(std::uint64_t number, std::string_view thing);

// A number with so many significant digits, and no exponent unless it is below 1e-4 or of more than
// 15 digits. Where so many digits leave no decimals, it is whole, its thousands divided by commas.
std::string human_number(double value, int digits = 3);

// A part of a whole, 1 being all of it: two digits below a tenth, whole per cent above. Only
// nothing is "0 %", and only everything is "100 %": "< 0.01 %", "99.9 %".
std::string human_share(double share);

// A span of time: "0.35 ms", "84.2 ms", "0.35 s", "42 s", "2 min 05 s", "1 h 02 min".
std::string human_seconds(double seconds);

// "999 B", "1.9 GB"; a thousand to the next.
std::string human_bytes(double bytes);

// The amount a second; 0 where no time has passed.
double per_second(double amount, double seconds);

}  // namespace tsmini
