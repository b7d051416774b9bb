#include "rivals/trajgat/laplacian.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>

namespace tsmini::rivals {
namespace {

// Leaves with equally many points.
struct Likes {
  double points, degree;
  std::vector<std::size_t> leaves;

  // The larger and the smaller zero of h.
  double upper() const { return (1 + root()) / 4; }
  double lower() const { return (1 - root()) / 4; }
  double root() const { return std::sqrt(1 + 8 * points / degree); }
  double h(double mu) const { return mu * degree - points / (2 * mu - 1); }
};

class Eigenvectors {
 public:
  explicit Eigenvectors(std::span<const std::int64_t> leaves) : leaf_of_(leaves) {
    for (const std::int64_t leaf : leaves) {
      const auto place = static_cast<std::size_t>(leaf);
      if (counts_.size() <= place) counts_.resize(place + 1);
      ++counts_[place];
    }
    std::map<std::size_t, std::vector<std::size_t>, std::greater<>> by_count;
    for (std::size_t l = 0; l < counts_.size(); ++l) by_count[counts_[l]].push_back(l);
    for (const auto& [count, alike] : by_count)
      groups_.push_back(
          {static_cast<double>(count), static_cast<double>(counts_.size() + count), alike});
    rows_.assign(leaves.size() + counts_.size(), LaplacianRow{});
  }

  std::vector<LaplacianRow> all() {
    above_half();
    at_half();
    below_half();
    return rows_;
  }

 private:
  bool done() const { return found_ == laplacian_width; }

  // Adds rows in falling order of μ: leaves of many points first.
  void above_half() {
    for (std::size_t g = 0; g < groups_.size() && !done(); ++g) {
      if (g > 0) add_root(groups_[g].upper(), groups_[g - 1].upper());
      add_contrasts(groups_[g], groups_[g].upper());
    }
  }

  void at_half() {
    for (std::size_t l = 0; l < counts_.size() && !done(); ++l) {
      std::vector<std::size_t> inside;
      for (std::size_t i = 0; i < leaf_of_.size() && counts_[l] > 1; ++i)
        if (static_cast<std::size_t>(leaf_of_[i]) == l) inside.push_back(i);
      for (std::size_t k = 1; k < inside.size() && !done(); ++k) {
        std::vector<double> values(rows_.size());
        set_contrast(values, inside, k);
        add(values);
      }
    }
  }

  void below_half() {
    double above = .5;
    for (std::size_t g = groups_.size(); g-- > 0 && !done();) {
      add_root(groups_[g].lower(), above);
      above = groups_[g].lower();
      add_contrasts(groups_[g], above);
    }
  }

  // k ones and a -k: orthogonal to each other and to what is constant.
  static void set_contrast(std::vector<double>& values, const std::vector<std::size_t>& places,
                           std::size_t k) {
    for (std::size_t i = 0; i < k; ++i) values[places[i]] = 1;
    values[places[k]] = -static_cast<double>(k);
  }

  void add_contrasts(const Likes& group, double mu) {
    for (std::size_t k = 1; k < group.leaves.size() && !done(); ++k) {
      std::vector<double> y(counts_.size());
      set_contrast(y, group.leaves, k);
      add_alike(y, mu);
    }
  }

  // The one with the μ between two zeros, where the sum of 1 / h falls from +∞ to below 1.
  void add_root(double low, double high) {
    if (done()) return;
    for (;;) {
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      double sum = 0;
      for (const Likes& group : groups_)
        sum += static_cast<double>(group.leaves.size()) / group.h(middle);
      (sum > 1 ? low : high) = middle;
    }
    std::vector<double> y(counts_.size());
    for (const Likes& group : groups_)
      for (const std::size_t l : group.leaves) y[l] = 1 / group.h(low);
    add_alike(y, low);
  }

  void add_alike(const std::vector<double>& y, double mu) {
    std::vector<double> values(rows_.size());
    for (std::size_t i = 0; i < leaf_of_.size(); ++i)
      values[i] = std::sqrt(2.0) * y[static_cast<std::size_t>(leaf_of_[i])] / (2 * mu - 1);
    for (std::size_t l = 0; l < y.size(); ++l)
      values[leaf_of_.size() + l] = std::sqrt(static_cast<double>(y.size() + counts_[l])) * y[l];
    add(values);
  }

  void add(const std::vector<double>& values) {
    double squares = 0;
    for (const double value : values) squares += value * value;
    for (std::size_t i = 0; i < values.size(); ++i)
      rows_[i][found_] = static_cast<float>(values[i] / std::sqrt(squares));
    ++found_;
  }

  std::span<const std::int64_t> leaf_of_;
  std::vector<std::size_t> counts_;  // points of every leaf
  std::vector<Likes> groups_;        // in falling order of points
  std::vector<LaplacianRow> rows_;
  std::size_t found_ = 0;
};

}  // namespace

std::vector<LaplacianRow> laplacian_rows(std::span<const std::int64_t> leaves) {
  return Eigenvectors(leaves).all();
}

}  // namespace tsmini::rivals
