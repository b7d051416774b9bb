// The seven methods that the paper compares itself with, and which of them an experiment is to
// have.
//
// They are trained by a program of their own, tsmini-rivals: as their papers describe them, or with
// the mistakes of their released code.
//
//   RivalChoice choice = rivals_from({"all"});
//   for (const Contender& one : contenders(choice, "scale"))
//     std::cout << one.title() << '\n';                                  // TrajCL, MovSemCL
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tsmini::experiment {

struct Rival {
  std::string_view name;        // by which one asks for it
  std::string_view title;       // in tables
  bool compares_pairs = false;  // has no embedding: looks at two trips at once
  bool has_mistakes = true;     // in its released code, that can be kept
  bool in_every_table = false;  // in Tables VII to IX of the paper, too
};

// All rivals in the paper's order.
std::span<const Rival> rivals();
// Throws Error(usage) that lists the names.
const Rival& rival_named(std::string_view name);

// The rivals that the paper has in an experiment; none in most.
std::vector<Rival> rivals_of_paper(std::string_view experiment);
// Whether an experiment can have rivals at all: those in which the paper has some.
bool has_rivals(std::string_view experiment);

// What was asked for.
struct RivalChoice {
  bool all = false;          // that the paper has in an experiment
  std::vector<Rival> named;  // in every experiment that can have rivals
  bool as_released = false;  // and each once more, with the mistakes of its code
  // At most so many for training, as many for what comes before it, and a third for vectors of
  // cells; none: what the epochs of its recipe take.
  std::optional<double> seconds = 60;

  bool any() const { return all || !named.empty(); }
};
// The choice that "all" and names make. Throws Error(usage) as above.
RivalChoice rivals_from(const std::vector<std::string>& names);

// A rival as it is run.
struct Contender {
  Rival rival;
  bool as_released = false;

  std::string title() const;  // "TrajCL", "TrajCL, as released"
};
// The contenders of an experiment in the paper's order; the one as released, where there is a
// difference, follows the other.
std::vector<Contender> contenders(const RivalChoice& choice, std::string_view experiment);

// What the runs of rivals were made with.
std::string rivals_with(const RivalChoice& choice);

}  // namespace tsmini::experiment
