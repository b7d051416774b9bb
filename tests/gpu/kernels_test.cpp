// Kernels, each against a plain loop in double precision. Their results must also be the same from
// run to run, to the bit.
#include "learn/cuda/kernels.h"

#include <bit>
#include <numeric>
#include <utility>

#include "tsmini/embedding.h"

#include "gpu/numbers.h"
#include "learn/optimiser.h"
#include "learn/reference_net.h"
#include "model/architecture.h"
#include "model/cell_grid.h"

namespace tsmini::gpu {
namespace {

constexpr auto epsilon = static_cast<float>(norm_epsilon);

// Trajectories of some lengths, with room for more rows.
class Trips {
 public:
  explicit Trips(const std::vector<int>& lengths, int lost = 0, int room = 9) : lost_(lost) {
    for (const int length : lengths) starts_.push_back(starts_.back() + length);
    capacity_ = starts_.back() + room;
    device_ = DeviceMemory<int>(std::span<const int>(starts_));
  }

  Rows rows() const { return {device_.data(), count(), capacity_, lost_}; }
  int count() const { return static_cast<int>(starts_.size()) - 1; }
  std::size_t real() const { return first(static_cast<std::size_t>(count())); }
  std::size_t all() const { return static_cast<std::size_t>(rows().size()); }
  std::size_t first(std::size_t b) const {
    return static_cast<std::size_t>(starts_[b] - lost_ * static_cast<int>(b));
  }

 private:
  std::vector<int> starts_{0};
  int lost_, capacity_ = 0;
  DeviceMemory<int> device_;
};

// Numbers of all rows: of the real ones the given, of the others nonsense.
Numbers with_nonsense(Numbers real, std::size_t size) {
  real.resize(size, NAN);
  return real;
}
std::vector<double> with_zeros(std::vector<double> real, std::size_t size) {
  real.resize(size, 0);
  return real;
}

template <typename Work>
auto same_twice(const Work& work) {
  auto first = work();
  EXPECT_EQ(first, work()) << "another result the second time";
  return first;
}

double value(float number) {
  return static_cast<double>(number);
}

using RunningNorm = GpuTest;

TEST_F(RunningNorm, NormsByWhatWasSeenBefore) {
  for (const int lost : {0, 2}) {
    const Trips trips({3, 9, 4, 30}, lost);
    const std::size_t channels = 96;
    const Numbers x = random_numbers(trips.real() * channels, 1, 30, 100);
    const Numbers gain = random_numbers(channels, 2), shift = random_numbers(channels, 3);
    Numbers running = random_numbers(2 * channels, 4, 10, 100);
    for (std::size_t c = 0; c < channels; ++c)
      running[channels + c] = std::abs(running[channels + c]);
    std::vector<double> expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t c = i % channels;
      const double hat = (value(x[i]) - value(running[c])) /
                         std::sqrt(value(running[channels + c]) + norm_epsilon);
      const double z = hat * value(gain[c]) + value(shift[c]);
      expected.push_back(z > 0 ? z : leak * z);
    }
    const Guarded<float> in(with_nonsense(x, trips.all() * channels)), device_gain(gain),
        device_shift(shift), device_running(running), y(trips.all() * channels);
    running_norm(nullptr, trips.rows(), static_cast<int>(channels), in.data(), device_gain.data(),
                 device_shift.data(), device_running.data(), epsilon, static_cast<float>(leak),
                 y.data());
    // Five roundings in a row, and the root of a GPU, which is off by two more.
    expect_close(y.values(), with_zeros(expected, trips.all() * channels), 8 * 0x1p-24);
  }
}

// Rows of a norm: one, an odd number, more than all blocks take at once; near 0 and far from it.
struct RowCase {
  std::size_t rows, channels;
  double scale, offset;
};
const std::vector<RowCase> row_cases{{1, 32, 1, 0},      {7, 96, 1, 0},    {1'031, 32, 3, 0},
                                     {33, 512, 1e-4, 0}, {9, 128, 1, 100}, {5, 64, 1e8, 0}};

using LayerNorm = GpuTest;

TEST_F(LayerNorm, NormsRowsAndGoesBack) {
  for (const RowCase& row_case : row_cases) {
    const std::size_t rows = row_case.rows, channels = row_case.channels;
    SCOPED_TRACE(testing::Message() << rows << " × " << channels);
    const Numbers x = random_numbers(rows * channels, 1, row_case.scale, row_case.offset);
    const Numbers gain = random_numbers(channels, 2), shift = random_numbers(channels, 3);
    const Numbers grad = random_numbers(rows * channels, 4);
    const auto n = static_cast<double>(channels);
    std::vector<double> y, dx, dgain(channels), dshift(channels), hat(channels);
    for (std::size_t r = 0; r < rows; ++r) {
      const float *row = x.data() + r * channels, *g = grad.data() + r * channels;
      const double mean = std::accumulate(row, row + channels, 0.0) / n;
      double squares = 0, sum = 0, dot = 0;
      for (std::size_t c = 0; c < channels; ++c) squares += std::pow(value(row[c]) - mean, 2);
      const double inverse = 1 / std::sqrt(squares / n + norm_epsilon);
      for (std::size_t c = 0; c < channels; ++c) {
        hat[c] = (value(row[c]) - mean) * inverse;
        y.push_back(hat[c] * value(gain[c]) + value(shift[c]));
        dgain[c] += value(g[c]) * hat[c];
        dshift[c] += value(g[c]);
        sum += value(g[c]) * value(gain[c]) / n;
        dot += value(g[c]) * value(gain[c]) * hat[c] / n;
      }
      for (std::size_t c = 0; c < channels; ++c)
        dx.push_back(inverse * (value(g[c]) * value(gain[c]) - sum - hat[c] * dot));
    }
    const int count = static_cast<int>(rows), width = static_cast<int>(channels);
    const Guarded<float> in(x), device_gain(gain), device_shift(shift), device_grad(grad);
    const auto found = same_twice([&] {
      const Guarded<float> out(rows * channels), moments(2 * rows), to(rows * channels);
      const Guarded<float> to_gain(channels), to_shift(channels);
      const Guarded<float> partial(2 * static_cast<std::size_t>(sums_scratch(width)));
      layer_norm(nullptr, count, width, in.data(), device_gain.data(), device_shift.data(), epsilon,
                 out.data(), moments.data());
      layer_norm_backward(nullptr, count, width, in.data(), device_gain.data(), moments.data(),
                          device_grad.data(), partial.data(), to.data(), to_gain.data(),
                          to_shift.data());
      moments.values();
      partial.values();
      return std::vector{out.values(), to.values(), to_gain.values(), to_shift.values()};
    });
    // A mean near the offset is off by 0.73 · 2^-24 of it: by 0.42 for its division, and as much
    // for every sum on the way to it, of which there are the more, the smaller their part in it is.
    // Five times that, as a share of the largest number, which is three times as large as most,
    // is 1.25.
    const double tolerance = 3e-6 + 1.25 * 0x1p-24 * row_case.offset;
    expect_close(found[0], y, tolerance);
    expect_close(found[1], dx, tolerance);
    expect_close(found[2], dgain, tolerance);
    expect_close(found[3], dshift, tolerance);
  }
}

TEST_F(LayerNorm, EmptyRowsBecomeTheShiftAndPassNothingOn) {
  const Guarded<float> x(Numbers(64)), gain(Numbers(32, 2)), shift(Numbers(32, 3)), y(64);
  const Guarded<float> moments(4), dx(64), dgain(32), dshift(32), partial(4 * 64 * 32);
  layer_norm(nullptr, 2, 32, x.data(), gain.data(), shift.data(), epsilon, y.data(),
             moments.data());
  EXPECT_EQ(y.values(), Numbers(64, 3));
  layer_norm_backward(nullptr, 2, 32, x.data(), gain.data(), moments.data(), x.data(),
                      partial.data(), dx.data(), dgain.data(), dshift.data());
  for (const Guarded<float>* result : {&dx, &dgain, &dshift}) {
    for (const float number : result->values()) EXPECT_EQ(number, 0);
  }
}

using UnitNorm = GpuTest;

TEST_F(UnitNorm, GivesRowsLengthOneAndGoesBack) {
  for (const RowCase& row_case : row_cases) {
    const std::size_t rows = row_case.rows, channels = row_case.channels;
    SCOPED_TRACE(testing::Message() << rows << " × " << channels);
    Numbers x = random_numbers(rows * channels, 1, row_case.scale, row_case.offset);
    if (rows > 1) std::fill_n(x.begin(), channels, 0.0F);  // as of a trajectory that is none
    const Numbers grad = random_numbers(rows * channels, 2);
    std::vector<double> y, dx;
    for (std::size_t r = 0; r < rows; ++r) {
      const float *row = x.data() + r * channels, *g = grad.data() + r * channels;
      const double length =
          std::max(std::sqrt(std::inner_product(row, row + channels, row, 0.0)), least_length);
      double along = 0;
      for (std::size_t c = 0; c < channels; ++c) along += value(row[c]) / length * value(g[c]);
      for (std::size_t c = 0; c < channels; ++c) {
        y.push_back(value(row[c]) / length);
        dx.push_back((value(g[c]) - y.back() * along) / length);
      }
    }
    const int count = static_cast<int>(rows), width = static_cast<int>(channels);
    const auto least = static_cast<float>(least_length);
    const Guarded<float> in(x), device_grad(grad);
    const auto found = same_twice([&] {
      const Guarded<float> out(rows * channels), to(rows * channels);
      unit_norm(nullptr, count, width, least, in.data(), out.data());
      unit_norm_backward(nullptr, count, width, least, in.data(), out.data(), device_grad.data(),
                         to.data());
      return std::vector{out.values(), to.values()};
    });
    expect_close(found[0], y, 1e-6);
    // The row without a length has a gradient beyond all others.
    const auto begin = static_cast<std::ptrdiff_t>(rows > 1 ? channels : 0);
    expect_close({found[1].begin(), found[1].begin() + begin}, {dx.begin(), dx.begin() + begin},
                 1e-6);
    expect_close({found[1].begin() + begin, found[1].end()}, {dx.begin() + begin, dx.end()}, 3e-6);
  }
}

using Relu = GpuTest;

TEST_F(Relu, KeepsWhatIsAboveZero) {
  for (const std::size_t size : {1UL, 255UL, 70'001UL}) {
    Numbers x = random_numbers(size, 1);
    x[0] = 0;
    const Numbers grad = random_numbers(size, 2);
    Numbers y = x, dx = grad;
    for (std::size_t i = 0; i < size; ++i) {
      y[i] = std::max(x[i], 0.0F);
      dx[i] = x[i] > 0 ? grad[i] : 0;
    }
    const Guarded<float> in(x), device_grad(grad), out(size), to(size);
    relu(nullptr, static_cast<std::int64_t>(size), in.data(), out.data());
    relu_backward(nullptr, static_cast<std::int64_t>(size), in.data(), device_grad.data(),
                  to.data());
    EXPECT_EQ(out.values(), y);
    EXPECT_EQ(to.values(), dx);
  }
  const Guarded<float> nothing(Numbers{NAN}), out(1);
  relu(nullptr, 1, nothing.data(), out.data());
  EXPECT_TRUE(std::isnan(out.values()[0]));
  EXPECT_NO_THROW(relu(nullptr, 0, nullptr, nullptr));
}

using Adding = GpuTest;

TEST_F(Adding, AddsNumbersAndABias) {
  const std::size_t size = 1'001;
  const Numbers from = random_numbers(size, 1), to = random_numbers(size, 2);
  Numbers sum = to;
  for (std::size_t i = 0; i < size; ++i) sum[i] += from[i];
  const Guarded<float> device_from(from), device_to(to);
  add(nullptr, static_cast<std::int64_t>(size), device_from.data(), device_to.data());
  EXPECT_EQ(device_to.values(), sum);

  constexpr std::size_t rows = 13;
  for (const std::size_t channels : {1UL, 16UL, 130UL}) {
    const Numbers bias = random_numbers(channels, 3);
    Numbers y = random_numbers(rows * channels, 4);
    const Guarded<float> device_bias(bias), device_y(y);
    add_bias(nullptr, rows, static_cast<int>(channels), device_bias.data(), device_y.data());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += bias[i % channels];
    EXPECT_EQ(device_y.values(), y);
  }
}

TEST_F(Adding, SumsColumns) {
  for (const std::size_t rows : {0UL, 1UL, 7UL, 2'000UL}) {
    for (const std::size_t channels : {1UL, 16UL, 130UL}) {
      Numbers x = random_numbers(rows * channels, 5, 1, 1000);
      std::vector<double> sums(channels);
      for (std::size_t i = 0; i < x.size(); ++i) sums[i % channels] += value(x[i]);
      const auto sums_of = [&](std::size_t all) {
        x.resize(all * channels);
        return same_twice([&] {
          const Guarded<float> in(x), out(channels);
          const Guarded<float> partial(
              static_cast<std::size_t>(sums_scratch(static_cast<int>(channels))));
          column_sums(nullptr, static_cast<int>(all), static_cast<int>(channels), in.data(),
                      partial.data(), out.data());
          partial.values();
          return out.values();
        });
      };
      const Numbers found = sums_of(rows);
      expect_close(found, sums, 1e-6);
      EXPECT_EQ(found, sums_of(rows + 600)) << "rows of zeros change nothing";
    }
  }
}

using Positions = GpuTest;

TEST_F(Positions, AreAddedToRealRows) {
  for (const std::size_t channels : {32UL, 96UL, 512UL}) {
    const Trips trips({5, 1'500, 3, 40}, 2);
    const Numbers x = random_numbers(trips.real() * channels, 1);
    std::vector<double> expected(x.begin(), x.end());
    for (std::size_t b = 0; b < static_cast<std::size_t>(trips.count()); ++b) {
      for (std::size_t r = trips.first(b); r < trips.first(b + 1); ++r) {
        for (std::size_t c = 0; c < channels; c += 2) {
          const double angle =
              static_cast<double>(r - trips.first(b)) *
              std::pow(slowest_turn, -static_cast<double>(c) / static_cast<double>(channels));
          expected[r * channels + c] += std::sin(angle);
          expected[r * channels + c + 1] += std::cos(angle);
        }
      }
    }
    const Guarded<float> device(with_nonsense(x, trips.all() * channels));
    add_positions(nullptr, trips.rows(), static_cast<int>(channels), slowest_turn, device.data());
    Numbers found = device.values();
    EXPECT_TRUE(std::isnan(found[x.size()])) << "rows past the real ones are left alone";
    found.resize(x.size());
    expect_close(found, expected, 1e-7);
  }
}

using TableRows = GpuTest;

TEST_F(TableRows, CellsAreThoseOfTheGrid) {
  for (const auto& [columns, rows] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                      {7, 3},
                                      {1'000, 999},
                                      {30'000'001, 50'000'000}}) {
    CellGrid grid;
    grid.columns = columns;
    grid.rows = rows;
    const Trips trips({1, 700, 300});
    const std::size_t width = 7;
    Random random(3);
    Numbers points = random_numbers(trips.real() * width, 1);
    std::vector<std::int64_t> known, numbers;
    for (std::size_t r = 0; r < trips.real(); ++r) {
      // Within the frame, on edges of cells, next to them, and outside.
      const auto share = [&](std::int64_t cells) {
        const auto edge = static_cast<float>(random.uniform(0, 1));
        const float on_edge =
            std::floor(edge * static_cast<float>(cells)) / static_cast<float>(cells);
        switch (random.below(5)) {
          case 0: return on_edge;
          case 1: return std::nextafter(on_edge, -1.0F);
          case 2: return std::nextafter(on_edge, 2.0F);
          case 3: return static_cast<float>(random.uniform(-1, 2));
          default: return edge;
        }
      };
      points[r * width] = share(columns);
      points[r * width + 1] = share(rows);
      numbers.push_back(grid.number_at(points[r * width], points[r * width + 1]));
      if (random.chance(0.5)) known.push_back(numbers.back());
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::vector<int> expected;
    for (const std::int64_t number : numbers)
      expected.push_back(static_cast<int>(row_of_cell(known, number)));
    expected.resize(trips.all(), -1);
    const Guarded<float> device_points(with_nonsense(points, trips.all() * width));
    const Guarded<std::int64_t> device_known(known);
    const Guarded<int> places(trips.all());
    find_cells(nullptr, trips.rows(), static_cast<int>(width), device_points.data(),
               {columns, rows, device_known.data(), static_cast<int>(known.size())}, places.data());
    EXPECT_EQ(places.values(), expected) << columns << " × " << rows;
    find_cells(nullptr, trips.rows(), static_cast<int>(width), device_points.data(),
               {columns, rows, nullptr, 0}, places.data());
    EXPECT_EQ(places.values()[0], 0) << "no cell is known";
  }
}

TEST_F(TableRows, AreLookedUp) {
  for (const std::size_t channels : {1UL, 33UL, 128UL}) {
    const Numbers table = random_numbers(5 * channels, 1);
    const std::vector<int> places{4, 0, 0, 2, -1, -1};
    Numbers expected;
    for (const int place : places) {
      for (std::size_t c = 0; c < channels; ++c)
        expected.push_back(place < 0 ? 0 : table[static_cast<std::size_t>(place) * channels + c]);
    }
    const Guarded<float> device_table(table), out(expected.size());
    const Guarded<int> device_places(places);
    look_up(nullptr, static_cast<int>(places.size()), static_cast<int>(channels),
            device_places.data(), device_table.data(), out.data());
    EXPECT_EQ(out.values(), expected);
  }
}

Numbers table_gradient(const std::vector<int>& places, const Numbers& grad, int table_rows,
                       int channels) {
  const Guarded<int> device_places(places);
  const Guarded<float> device_grad(grad),
      dtable(static_cast<std::size_t>(table_rows) * static_cast<std::size_t>(channels));
  const Guarded<std::int64_t> sums(static_cast<std::size_t>(look_up_scratch(table_rows, channels)));
  look_up_backward(nullptr, static_cast<int>(places.size()), channels, device_places.data(),
                   device_grad.data(), table_rows, sums.data(), dtable.data());
  sums.values();
  return dtable.values();
}

TEST_F(TableRows, GatherTheirGradientInAnyOrder) {
  const std::size_t rows = 1'000, past = 20;
  const int table_rows = 11;
  for (const auto& [scale, channels] :
       {std::pair<double, std::size_t>{1, 64}, {1e30, 33}, {1e-38, 1}}) {
    const int width = static_cast<int>(channels);
    Random random(4);
    std::vector<int> places(rows);
    for (int& place : places) place = static_cast<int>(random.below(9));  // some get nothing
    std::fill(places.end() - past, places.end(), -1);
    const Numbers grad =
        with_nonsense(random_numbers((rows - past) * channels, 2, scale), rows * channels);
    std::vector<double> expected(table_rows * channels);
    Numbers backwards;
    for (std::size_t r = rows - past; r-- > 0;) {
      for (std::size_t c = 0; c < channels; ++c) {
        backwards.push_back(grad[r * channels + c]);
        expected[static_cast<std::size_t>(places[r]) * channels + c] += value(backwards.back());
      }
    }
    const Numbers found = table_gradient(places, grad, table_rows, width);
    expect_close(found, expected, scale < 1e-30 ? 1e-6 : 1e-7);
    EXPECT_EQ(found, table_gradient({places.rbegin() + past, places.rend()}, backwards, table_rows,
                                    width));
  }
}

TEST_F(TableRows, GradientsOfTheSameSignDoNotOverflow) {
  const std::vector<int> places(5'000, 1);
  const float most = std::nextafter(2.0F, 0.0F);  // the largest of its power of two
  expect_close(table_gradient(places, Numbers(5'000, most), 2, 1), {0, 5'000 * value(most)}, 1e-7);
  expect_close(table_gradient(places, Numbers(5'000, -most), 2, 1), {0, -5'000 * value(most)},
               1e-7);
  EXPECT_EQ(table_gradient(places, Numbers(5'000), 2, 1), Numbers(2)) << "nothing but zeros";
}

TEST_F(TableRows, WhatIsNotFiniteShows) {
  for (const float bad : {NAN, INFINITY}) {
    for (const float number : table_gradient({1, 0, -1}, {1, bad, 1}, 3, 1))
      EXPECT_TRUE(std::isnan(number));
  }
}

using Adam = GpuTest;

TEST_F(Adam, MovesWeightsAndTheirAverage) {
  const std::size_t size = 1'003;
  const AdamSettings settings{learn::adam_beta1, learn::adam_beta2, learn::adam_epsilon, 0.01F};
  const Numbers schedule{0.01F, 0.19F, 0.002F, 0.25F};
  const Numbers grad = random_numbers(size, 1), weights = random_numbers(size, 2);
  const Numbers first = random_numbers(size, 3), average = random_numbers(size, 4);
  Numbers second = random_numbers(size, 5);
  for (float& number : second) number *= number;
  std::vector<double> w, m, v, a, followed;
  for (std::size_t i = 0; i < size; ++i) {
    const double g = value(grad[i]) + value(settings.decay) * value(weights[i]);
    m.push_back(value(first[i]) + (1 - value(settings.beta1)) * (g - value(first[i])));
    v.push_back(value(second[i]) + (1 - value(settings.beta2)) * (g * g - value(second[i])));
    w.push_back(value(weights[i]) -
                value(schedule[0]) / value(schedule[1]) * m[i] /
                    (std::sqrt(v[i] / value(schedule[2])) + value(settings.epsilon)));
    a.push_back(value(average[i]) + 0.75 * (w[i] - value(average[i])));
    followed.push_back(value(average[i]) + 0.75 * (value(grad[i]) - value(average[i])));
  }
  const Guarded<float> device_schedule(schedule), device_grad(grad);
  for (const double loss : {3.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    const Guarded<double> loss_sum(std::vector<double>{loss});
    const Guarded<float> to_weights(weights), to_first(first), to_second(second),
        to_average(average), to_followed(average);
    adam(nullptr, static_cast<std::int64_t>(size), settings, device_schedule.data(),
         loss_sum.data(), device_grad.data(), to_weights.data(), to_first.data(), to_second.data(),
         to_average.data());
    follow(nullptr, static_cast<std::int64_t>(size), device_schedule.data(), loss_sum.data(),
           device_grad.data(), to_followed.data());
    if (std::isfinite(loss)) {
      expect_close(to_weights.values(), w, 1e-6);
      expect_close(to_first.values(), m, 1e-6);
      expect_close(to_second.values(), v, 1e-6);
      expect_close(to_average.values(), a, 1e-6);
      expect_close(to_followed.values(), followed, 1e-6);
    } else {
      EXPECT_EQ(to_weights.values(), weights);
      EXPECT_EQ(to_first.values(), first);
      EXPECT_EQ(to_second.values(), second);
      EXPECT_EQ(to_average.values(), average);
      EXPECT_EQ(to_followed.values(), average);
    }
  }
}

using Loss = GpuTest;

Matrix as_matrix(const Numbers& numbers, std::size_t count) {
  Matrix matrix(count, Vector(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) matrix[i / count][i % count] = value(numbers[i]);
  return matrix;
}

TEST_F(Loss, IsThatOfTheReferenceAndIsAddedUp) {
  for (const std::size_t count : {2UL, 9UL, 40UL}) {
    for (const std::size_t k : {0UL, 5UL}) {
      LossSettings settings;
      settings.k = k;
      settings.slope = 3;
      settings.focus = k == 0 ? 1 : 2;
      settings.rank_mean = k == 0;
      // Symmetric, as distances are, but for the lower triangle, which the squared error leaves
      // out.
      Random random(count);
      Numbers predicted(count * count), labels(count * count);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
          predicted[i * count + j] = predicted[j * count + i] =
              static_cast<float>(random.uniform(0.1, 1));
          labels[i * count + j] = labels[j * count + i] =
              static_cast<float>(random.uniform(0, 2000));
        }
      }
      const float largest = 2100;
      const Matrix truth = as_matrix(labels, count);
      const auto loss_of = [&](const Matrix& guess) {
        return reference_loss(guess, truth, value(largest), settings);
      };
      const Guarded<float> device_predicted(predicted), device_labels(labels);
      const auto [sum, gradient] = same_twice([&] {
        const Guarded<double> loss_sum(std::vector<double>{1'000});
        const Guarded<float> scratch(5 * count), out(count * count);
        similarity_loss(nullptr, static_cast<int>(count), settings, device_predicted.data(),
                        device_labels.data(), largest, scratch.data(), loss_sum.data(), out.data());
        scratch.values();
        return std::pair(loss_sum.values()[0], out.values());
      });
      const double loss = loss_of(as_matrix(predicted, count));
      EXPECT_NEAR(sum - 1'000, loss, 1e-5 * std::max(loss, 1.0)) << count << ", " << k;
      // The gradient by some of the predicted distances.
      Numbers found;
      std::vector<double> expected;
      for (std::size_t i = 0; i < count * count; i += count < 10 ? 1 : 37) {
        found.push_back(gradient[i]);
        expected.push_back(0);
        if (i / count == i % count) continue;
        Matrix moved = as_matrix(predicted, count);
        const double step = 1e-6;
        moved[i / count][i % count] += step;
        const double above = loss_of(moved);
        moved[i / count][i % count] -= 2 * step;
        expected.back() = (above - loss_of(moved)) / (2 * step);
      }
      // Two have no error but that of rounding: their common factor fits them.
      // Powers and logarithms of a GPU are off by up to some five roundings more than the
      // emulator's, whose worst number is off by 3e-7.
      expect_close(found, expected, 3e-6, count == 2 ? 1e-8 : 1e-30);
    }
  }
}

using PairDistances = GpuTest;

TEST_F(PairDistances, AreThoseOfTheMetricAtAnyDimensionAndGroup) {
  const std::vector<std::pair<std::size_t, EmbeddingMetric>> cases{
      {128, {MetricKind::l1}},
      {96, {MetricKind::l1}},
      {512, {MetricKind::l2}},
      {32, {MetricKind::l2}},
      {128, {MetricKind::linf}},
      {96, {MetricKind::linf}},
      {256, {MetricKind::linf}},
      {512, {MetricKind::linf}},
      {128, {MetricKind::chebyshev, 16}},
      {64, {MetricKind::chebyshev, 16}},
      {96, {MetricKind::chebyshev, 32}},
      {256, {MetricKind::chebyshev, 128}},
      {512, {MetricKind::chebyshev, 256}},
      {96, {MetricKind::chebyshev, 3}},
      {64, {MetricKind::chebyshev, 2}},
      {64, {MetricKind::chebyshev, 1}},
  };
  for (const auto& each : cases) {
    const std::size_t dimension = each.first;
    const EmbeddingMetric& metric = each.second;
    SCOPED_TRACE(testing::Message()
                 << dimension << ", " << name_of(metric.kind) << ' ' << metric.group);
    const std::size_t count = 11;
    Numbers embeddings = random_numbers(count * dimension, 1);
    std::copy_n(embeddings.begin(), dimension,
                embeddings.begin() + static_cast<std::ptrdiff_t>(3 * dimension));  // twins
    const Numbers grad = random_numbers(count * count, 2);
    const auto row = [&](std::size_t i) {
      return std::span(embeddings).subspan(i * dimension, dimension);
    };
    const std::size_t group = metric.kind == MetricKind::linf        ? dimension
                              : metric.kind == MetricKind::chebyshev ? metric.group
                                                                     : 1;
    std::vector<double> distances, gradient(count * dimension);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        distances.push_back(embedding_distance(metric, row(i), row(j)));
        const double g = value(grad[i * count + j]), distance = distances.back();
        for (std::size_t from = 0; from < dimension; from += group) {
          std::size_t place = from;
          for (std::size_t c = from; c < from + group; ++c) {
            if (std::abs(row(i)[c] - row(j)[c]) > std::abs(row(i)[place] - row(j)[place]))
              place = c;
          }
          const double d = value(row(i)[place]) - value(row(j)[place]);
          double push = d > 0 ? g : (d < 0 ? -g : 0);
          if (metric.kind == MetricKind::l2) push = distance > 0 ? g * d / distance : 0;
          gradient[i * dimension + place] += push;
          gradient[j * dimension + place] -= push;
        }
      }
    }
    const Guarded<float> device_embeddings(embeddings), device_grad(grad);
    const auto found = same_twice([&] {
      const Guarded<float> out(count * count), to(count * dimension);
      pair_distances(nullptr, static_cast<int>(count), static_cast<int>(dimension), metric,
                     device_embeddings.data(), out.data());
      pair_distances_backward(nullptr, static_cast<int>(count), static_cast<int>(dimension), metric,
                              device_embeddings.data(), out.data(), device_grad.data(), to.data());
      return std::vector{out.values(), to.values()};
    });
    expect_close(found[0], distances, 1e-6);
    expect_close(found[1], gradient, 1e-6);
  }
}

}  // namespace
}  // namespace tsmini::gpu
