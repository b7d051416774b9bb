// What the paper reports, to stand beside ours.
//
// Its cities are Porto, Xi'an and Germany; its training took up to 119,640 steps on an A100.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "tsmini/measure.h"

namespace tsmini::experiment {

// The paper's city that tables of a city are set beside: Porto, or Xi'an for all others.
std::string_view paper_city(std::string_view city);

struct PaperScore {
  double hr10, hr50, r10at50;
};
// Tables II and III. Variants: full, w/o-S, w/o-K, w/o-SK.
std::optional<PaperScore> paper_score(std::string_view city, std::string_view variant,
                                      Measure measure);
// Table IV, HR@10. Variants: full, gqa, vanilla.
std::optional<double> paper_attention(std::string_view city, std::string_view variant,
                                      Measure measure);
// Table V, only on Xi'an. Variants: full, w/o-S.
std::optional<double> paper_rand_index(std::string_view city, std::string_view variant,
                                       Measure measure);
// Table IX: from Xi'an to Porto, or the other way.
std::optional<double> paper_transfer(bool to_porto, Measure measure);

// Table VI: hours of training on Xi'an by batch size, 32, 64, …, 512.
inline constexpr std::array<double, 5> paper_batch_hours{2.40, 1.43, 0.76, 0.44, 0.38};
// Table VII: HR@10 for Fréchet on Xi'an with 7,000, 14,000 and 28,000 trips, and seconds for their
// true distances.
inline constexpr std::array<double, 3> paper_scale_hr10{.812, .822, .824};
inline constexpr std::array<double, 3> paper_scale_label_seconds{5303, 10636, 52805};
// Table VIII: HR@10 for Fréchet on Xi'an as it is, masked 40 % and 80 %, shifted 100 m and 500 m,
// masked 40 % and shifted 100 m, masked 80 % and shifted 500 m.
inline constexpr std::array<double, 7> paper_quality{.812, .799, .669, .793, .686, .783, .559};
// Table X, Porto.
inline constexpr double paper_parameters = 0.28e6;
inline constexpr double paper_training_seconds = 1917, paper_embedding_seconds = 0.28;

// The paper's rivals, by the names of experiment/rival.h: neutraj, t3s, tmn, trajgat, trajcl, kgts,
// movsemcl. Only trajcl and movsemcl are in Tables VII to IX.

// Table II.
std::optional<PaperScore> paper_rival_score(std::string_view city, std::string_view rival,
                                            Measure measure);
// Table VII, the number of a size as above.
std::optional<double> paper_rival_scale(std::string_view rival, std::size_t size);
// Table VIII, the number of a case as above.
std::optional<double> paper_rival_quality(std::string_view rival, std::size_t number);
// Table IX.
std::optional<double> paper_rival_transfer(std::string_view rival, bool to_porto, Measure measure);

struct PaperCost {
  double parameters, training_seconds;
  std::optional<double> embedding_seconds;  // tmn has none
};
// Table X, Porto.
std::optional<PaperCost> paper_rival_cost(std::string_view rival);

}  // namespace tsmini::experiment
