// Attention against a plain loop in double precision.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/numbers.h"
#include "learn/cuda/kernels.h"
#include "learn/place_uniform.h"
#include "model/architecture.h"

namespace tsmini::gpu {
namespace {

using Doubles = std::vector<double>;

// Products are of numbers of 11 binary digits: each is off by up to 2^-11 of itself, and by 2^-13
// in the mean. A score, a sum of 32 products of size 1 over sqrt(32), is off by 2^-12 or so then,
// and its exponential by as large a share; results are sums of products of those with numbers that
// are off by 2^-13 themselves, and whose errors do not know of each other. The largest of some 10^5
// errors is five times their size: 5 · 2^-12, a share of the largest number of all, which is larger
// than most.
constexpr double tolerance = 1.5e-3;

struct AttentionCase {
  std::string name;
  std::vector<int> lengths;
  std::size_t heads = 2, key_heads = 2;
  bool is_turned = true;
  float dropout = 0;
  int lost = 0;
  std::size_t room = 9;  // rows past the real ones
};

// The trajectories of a case, their numbers, and where these lie.
class Batch {
 public:
  explicit Batch(const AttentionCase& given) : case_(given) {
    for (const int length : given.lengths) starts_.push_back(starts_.back() + length);
    real_ = first(given.lengths.size());
    qkv_ = random_numbers(real_ * columns(), 1);
    grad_ = random_numbers(real_ * width(), 2);
    for (int i = 0; i < 300 * 16; ++i) {  // positions and pairs of numbers, turned by some angles
      const double angle = i / 16 * std::pow(0.6, i % 16);
      rotary_.insert(rotary_.end(),
                     {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
    }
  }

  std::size_t first(std::size_t b) const {
    return static_cast<std::size_t>(starts_[b] - case_.lost * static_cast<int>(b));
  }
  std::size_t columns() const { return (case_.heads + 2 * case_.key_heads) * head_size; }
  std::size_t width() const { return case_.heads * head_size; }
  std::size_t rows() const { return real_ + case_.room; }

  struct Results {
    Doubles out, log_sums, dqkv;
  };
  Results expected() const;

  struct Found {
    Numbers out, log_sums, dqkv;

    friend bool operator==(const Found&, const Found&) = default;
  };
  Found found() const;

 private:
  // Numbers of a row's head, turned by its position.
  Doubles part(std::size_t row, std::size_t column, bool turns, std::size_t position) const {
    Doubles values(head_size);
    for (std::size_t c = 0; c < head_size; ++c)
      values[c] = double{qkv_[row * columns() + column + c]};
    if (turns) turn(values, position, 1);
    return values;
  }
  void turn(Doubles& values, std::size_t position, double sign) const {
    if (!case_.is_turned) return;
    for (std::size_t c = 0; c < head_size; c += 2) {
      const double cosine = double{rotary_[position * head_size + c]};
      const double sine = sign * double{rotary_[position * head_size + c + 1]};
      const double a = values[c], b = values[c + 1];
      values[c] = a * cosine - b * sine;
      values[c + 1] = a * sine + b * cosine;
    }
  }
  void add_head(std::size_t begin, std::size_t length, std::size_t h, Results& results) const;

  static constexpr std::int64_t key = 0x1234567890abcdef;
  static constexpr std::uint32_t salt = 3;
  AttentionCase case_;
  std::vector<int> starts_{0};
  std::size_t real_ = 0;
  Numbers qkv_, grad_, rotary_;
};

double dot(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}
void add(double factor, const Doubles& from, Doubles& to) {
  for (std::size_t c = 0; c < from.size(); ++c) to[c] += factor * from[c];
}

// One head of one trajectory, forwards and backwards.
void Batch::add_head(std::size_t begin, std::size_t length, std::size_t h, Results& results) const {
  const std::size_t shared = h / (case_.heads / case_.key_heads);
  const std::size_t key_at = (case_.heads + shared) * head_size;
  const std::size_t value_at = key_at + case_.key_heads * head_size;
  const double scale = 1 / std::sqrt(double{head_size});
  std::vector<Doubles> q, k, v, dk(length, Doubles(head_size)), dv = dk;
  for (std::size_t i = 0; i < length; ++i) {
    q.push_back(part(begin + i, h * head_size, true, i));
    k.push_back(part(begin + i, key_at, true, i));
    v.push_back(part(begin + i, value_at, false, i));
  }
  const auto put = [](const Doubles& values, std::size_t at, Doubles& to) {
    for (std::size_t c = 0; c < head_size; ++c) to[at + c] += values[c];
  };
  for (std::size_t i = 0; i < length; ++i) {
    Doubles weights, kept, out(head_size), g(head_size), dq(head_size);
    double total = 0;
    for (std::size_t j = 0; j < length; ++j) {
      weights.push_back(std::exp(scale * dot(q[i], k[j])));
      kept.push_back(
          double{dropout_factor(case_.dropout, key, salt, attention_place(h, begin + i, j))});
      total += weights.back();
    }
    for (std::size_t c = 0; c < head_size; ++c)
      g[c] = double{grad_[(begin + i) * width() + h * head_size + c]};
    for (std::size_t j = 0; j < length; ++j) add(weights[j] / total * kept[j], v[j], out);
    const double inner = dot(g, out);
    for (std::size_t j = 0; j < length; ++j) {
      const double p = weights[j] / total, ds = p * (kept[j] * dot(g, v[j]) - inner) * scale;
      add(ds, k[j], dq);
      add(ds, q[i], dk[j]);
      add(p * kept[j], g, dv[j]);
    }
    turn(dq, i, -1);
    put(out, (begin + i) * width() + h * head_size, results.out);
    put(dq, (begin + i) * columns() + h * head_size, results.dqkv);
    results.log_sums[(begin + i) * case_.heads + h] = std::log(total);
  }
  for (std::size_t j = 0; j < length; ++j) {
    turn(dk[j], j, -1);
    put(dk[j], (begin + j) * columns() + key_at, results.dqkv);
    put(dv[j], (begin + j) * columns() + value_at, results.dqkv);
  }
}

Batch::Results Batch::expected() const {
  Results results{Doubles(rows() * width()), Doubles(real_ * case_.heads),
                  Doubles(rows() * columns())};
  for (std::size_t b = 0; b < case_.lengths.size(); ++b) {
    for (std::size_t h = 0; h < case_.heads; ++h)
      add_head(first(b), first(b + 1) - first(b), h, results);
  }
  return results;
}

// Rows past the real ones hold nonsense.
Batch::Found Batch::found() const {
  Numbers all_qkv = qkv_, all_grad = grad_;
  all_qkv.resize(rows() * columns(), NAN);
  all_grad.resize(rows() * width(), NAN);
  const Guarded<float> qkv(all_qkv), grad(all_grad), rotary(rotary_);
  const Guarded<std::int64_t> device_key(std::vector<std::int64_t>{key});
  const Guarded<int> starts(starts_);
  const Guarded<float> out(rows() * width()), log_sums(rows() * case_.heads);
  const Guarded<float> dqkv(rows() * columns());
  const Rows device_rows{starts.data(), static_cast<int>(case_.lengths.size()),
                         starts_.back() + static_cast<int>(case_.room), case_.lost};
  const AttentionShape shape{static_cast<int>(case_.heads), static_cast<int>(case_.key_heads),
                             case_.dropout, salt};
  const float* turns = case_.is_turned ? rotary.data() : nullptr;
  attention(nullptr, device_rows, shape, qkv.data(), turns, device_key.data(), out.data(),
            log_sums.data());
  attention_backward(nullptr, device_rows, shape, qkv.data(), turns, device_key.data(), out.data(),
                     log_sums.data(), grad.data(), dqkv.data());
  Numbers logs = log_sums.values();
  logs.resize(real_ * case_.heads);
  return {out.values(), logs, dqkv.values()};
}

class Attention : public GpuTest, public testing::WithParamInterface<AttentionCase> {};

TEST_P(Attention, IsThatOfDoublesAndRepeatsItself) {
  const Batch batch(GetParam());
  const Batch::Found found = batch.found();
  const Batch::Results expected = batch.expected();
  expect_close(found.out, expected.out, tolerance);
  expect_close(found.log_sums, expected.log_sums, tolerance);
  expect_close(found.dqkv, expected.dqkv, tolerance);
  EXPECT_TRUE(batch.found() == found) << "another result the second time";
}

std::vector<AttentionCase> cases() {
  std::vector<AttentionCase> all;
  int turn = 0;
  for (const int length : {1, 2, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 130, 200, 300}) {
    const std::string name = "Rows" + std::to_string(length);
    all.push_back({name, {length}, 1, 1, turn % 2 == 0, turn % 3 == 0 ? 0.3F : 0.0F});
    ++turn;
  }
  const std::vector<int> mixed = {33, 1, 130, 64, 7, 65, 2, 16, 48};
  for (const std::size_t key_heads : {4U, 2U, 1U}) {
    for (const bool is_turned : {true, false}) {
      for (const float dropout : {0.0F, 0.3F})
        all.push_back({"Mixed" + std::to_string(key_heads) + (is_turned ? "Turned" : "") +
                           (dropout == 0 ? "" : "Dropped"),
                       mixed, 4, key_heads, is_turned, dropout});
    }
  }
  all.push_back({"RowsAreLost", {9, 70, 8, 33, 5, 130}, 2, 1, true, 0.1F, 4, 30});
  all.push_back({"NoRoom", {64, 64, 128}, 2, 2, true, 0, 0, 0});
  all.push_back({"MuchRoom", {5, 20}, 2, 1, true, 0, 0, 300});
  all.push_back({"ManyTrips", std::vector<int>(70, 3), 1, 1});
  all.back().lengths[40] = 100;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Cases, Attention, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tsmini::gpu
