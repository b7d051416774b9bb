#include "learn/reference_net.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tsmini {
namespace {

constexpr std::size_t head_size = 32;

double dot(const double* a, const double* b, std::size_t n) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t u = 0; u < 4; ++u) sums[u] += a[i + u] * b[i + u];
  }
  double sum = sums[0] + sums[1] + sums[2] + sums[3];
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// weight: [out, in], row-major.
Vector linear(const Vector& weight, const Vector& bias, const Vector& x) {
  const std::size_t in = x.size(), out = weight.size() / in;
  Vector y(out);
  for (std::size_t o = 0; o < out; ++o)
    y[o] = dot(weight.data() + o * in, x.data(), in) + (bias.empty() ? 0.0 : bias[o]);
  return y;
}

Vector plus(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

// Batch norm of all rows of all trajectories, then a leaky ReLU.
void normalise_batch(std::vector<Matrix>& x, const Vector& gain, const Vector& shift,
                     Vector& running, bool training) {
  const std::size_t channels = gain.size();
  for (std::size_t c = 0; c < channels; ++c) {
    double mean = running[c], variance = running[channels + c];
    if (training) {
      double n = 0, sum = 0, squares = 0;
      for (const Matrix& trip : x) {
        for (const Vector& row : trip) sum += row[c], n += 1;
      }
      mean = sum / n;
      for (const Matrix& trip : x) {
        for (const Vector& row : trip) squares += (row[c] - mean) * (row[c] - mean);
      }
      variance = squares / n;
      running[c] = 0.9 * running[c] + 0.1 * mean;
      running[channels + c] = 0.9 * running[channels + c] + 0.1 * squares / (n - 1);
    }
    for (Matrix& trip : x) {
      for (Vector& row : trip) {
        const double z = gain[c] * (row[c] - mean) / std::sqrt(variance + 1e-5) + shift[c];
        row[c] = z > 0 ? z : 0.01 * z;
      }
    }
  }
}

std::vector<Matrix> sub_views(const Weights& weights, const std::vector<Matrix>& features,
                              bool training, Weights& buffers) {
  std::vector<Matrix> x;
  for (const Matrix& trip : features) {
    x.emplace_back();
    for (const Vector& row : trip)
      x.back().push_back(linear(weights.at("sub_views.input.weight"), {}, row));
  }
  for (const char* number : {"1", "2", "3"}) {
    const std::string name = std::string("sub_views.convolution") + number + ".";
    for (Matrix& trip : x) {
      Matrix convolved;
      for (std::size_t i = 0; i + 2 < trip.size(); ++i) {
        Vector window;
        for (std::size_t place = 0; place < 3; ++place)
          window.insert(window.end(), trip[i + place].begin(), trip[i + place].end());
        convolved.push_back(linear(weights.at(name + "weight"), {}, window));
      }
      trip = std::move(convolved);
    }
    normalise_batch(x, weights.at(name + "norm.gain"), weights.at(name + "norm.shift"),
                    buffers.at(name + "norm.running"), training);
  }
  for (Matrix& trip : x) {
    for (Vector& row : trip) {
      Vector branch = linear(weights.at("sub_views.residual.weight"),
                             weights.at("sub_views.residual.bias"), row);
      for (double& value : branch) value = std::max(value, 0.0);
      row = plus(row, branch);
    }
  }
  return x;
}

void add_positions(Matrix& trip) {
  for (std::size_t i = 0; i < trip.size(); ++i) {
    const auto dimension = static_cast<double>(trip[i].size());
    for (std::size_t c = 0; c < trip[i].size(); ++c) {
      const double rate = std::pow(10000.0, -static_cast<double>(c / 2 * 2) / dimension);
      const double angle = static_cast<double>(i) * rate;
      trip[i][c] += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
}

std::vector<Matrix> cells(const NetSettings& settings, const FeatureFrame& frame,
                          const Weights& weights, const std::vector<Matrix>& features) {
  const double columns = std::ceil((frame.high.x - frame.low.x) / settings.cell_metres);
  const double rows = std::ceil((frame.high.y - frame.low.y) / settings.cell_metres);
  std::vector<Matrix> x;
  for (const Matrix& trip : features) {
    x.emplace_back();
    for (const Vector& point : trip) {
      const double column = std::min(std::floor(point[0] * columns), columns - 1);
      const double row = std::min(std::floor(point[1] * rows), rows - 1);
      std::size_t cell = 0;  // of those that are not known
      const Vector& known = weights.at("cells.known");
      for (std::size_t k = 0; 2 * k < known.size(); ++k) {
        if (known[2 * k] == column && known[2 * k + 1] == row) cell = k + 1;
      }
      const double* vector = weights.at("cells.table").data() + cell * settings.dimension;
      x.back().emplace_back(vector, vector + settings.dimension);
    }
    add_positions(x.back());
  }
  return x;
}

Vector norm(const NetSettings& settings, const Weights& weights, const std::string& name,
            const Vector& x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  if (settings.block == BlockKind::vanilla) {
    for (const double value : x) mean += value / n;
  }
  for (const double value : x) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / n + 1e-5);
  Vector y(x.size());
  for (std::size_t c = 0; c < x.size(); ++c) {
    y[c] = (x[c] - mean) / deviation * weights.at(name + "gain")[c];
    if (settings.block == BlockKind::vanilla) y[c] += weights.at(name + "shift")[c];
  }
  return y;
}

// One head's part of a row, turned by its position where `turned`.
Vector part(const Vector& row, std::size_t number, std::size_t position, bool turned) {
  const auto begin = row.begin() + static_cast<std::ptrdiff_t>(number * head_size);
  Vector x(begin, begin + head_size);
  if (!turned) return x;
  for (std::size_t i = 0; i < head_size; i += 2) {
    const double angle = static_cast<double>(position) *
                         std::pow(10000.0, -static_cast<double>(i) / double{head_size});
    const double a = x[i], b = x[i + 1];
    x[i] = a * std::cos(angle) - b * std::sin(angle);
    x[i + 1] = a * std::sin(angle) + b * std::cos(angle);
  }
  return x;
}

// The heads' results side by side, for each row of one trajectory.
Matrix attend(const NetSettings& settings, const Matrix& qkv) {
  const std::size_t n = qkv.size();
  const bool turned = settings.block == BlockKind::modern;
  Matrix out(n);
  for (std::size_t h = 0; h < settings.heads; ++h) {
    const std::size_t group = h / (settings.heads / settings.key_heads);
    Matrix keys(n), values(n);
    for (std::size_t j = 0; j < n; ++j) {
      keys[j] = part(qkv[j], settings.heads + group, j, turned);
      values[j] = part(qkv[j], settings.heads + settings.key_heads + group, j, false);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Vector query = part(qkv[i], h, i, turned);
      Vector shares(n);
      double total = 0;
      for (std::size_t j = 0; j < n; ++j) {
        shares[j] =
            std::exp(dot(query.data(), keys[j].data(), head_size) / std::sqrt(double{head_size}));
        total += shares[j];
      }
      Vector sum(head_size);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t c = 0; c < head_size; ++c) sum[c] += shares[j] / total * values[j][c];
      }
      out[i].insert(out[i].end(), sum.begin(), sum.end());
    }
  }
  return out;
}

Vector feed_forward(const NetSettings& settings, const Weights& weights, const std::string& name,
                    const Vector& x) {
  if (settings.block == BlockKind::vanilla) {
    Vector inner = linear(weights.at(name + "in.weight"), weights.at(name + "in.bias"), x);
    for (double& value : inner) value = std::max(value, 0.0);
    return linear(weights.at(name + "out.weight"), weights.at(name + "out.bias"), inner);
  }
  const Vector both = linear(weights.at(name + "in.weight"), {}, x);
  Vector inner(settings.hidden);
  for (std::size_t i = 0; i < inner.size(); ++i)
    inner[i] = both[i] / (1 + std::exp(-both[i])) * both[settings.hidden + i];
  return linear(weights.at(name + "out.weight"), {}, inner);
}

void layer(const NetSettings& settings, const Weights& weights, const std::string& name,
           Matrix& trip) {
  Matrix qkv;
  for (const Vector& row : trip)
    qkv.push_back(linear(weights.at(name + "attention.in.weight"), {},
                         norm(settings, weights, name + "attention.norm.", row)));
  const Matrix attended = attend(settings, qkv);
  for (std::size_t i = 0; i < trip.size(); ++i) {
    trip[i] = plus(trip[i], linear(weights.at(name + "attention.out.weight"), {}, attended[i]));
    trip[i] = plus(trip[i], feed_forward(settings, weights, name + "feed.",
                                         norm(settings, weights, name + "feed.norm.", trip[i])));
  }
}

Vector pooled(const NetSettings& settings, const Matrix& trip) {
  const std::size_t width = trip[0].size();
  Vector all;
  for (const Pool pool : {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last}) {
    if (std::find(settings.pooling.begin(), settings.pooling.end(), pool) == settings.pooling.end())
      continue;
    for (std::size_t c = 0; c < width; ++c) {
      double sum = 0, most = trip[0][c];
      for (const Vector& row : trip) {
        sum += row[c];
        most = std::max(most, row[c]);
      }
      switch (pool) {
        case Pool::mean: all.push_back(sum / static_cast<double>(trip.size())); break;
        case Pool::max: all.push_back(most); break;
        case Pool::sum: all.push_back(sum / 50); break;
        case Pool::first: all.push_back(trip.front()[c]); break;
        case Pool::last: all.push_back(trip.back()[c]); break;
      }
    }
  }
  return all;
}

}  // namespace

ReferenceResult reference_embeddings(const NetSettings& settings, const FeatureFrame& frame,
                                     const Weights& weights, const std::vector<Matrix>& features,
                                     bool training) {
  ReferenceResult result;
  for (const auto& [name, values] : weights) {
    if (name.ends_with("norm.running")) result.buffers[name] = values;
  }
  std::vector<Matrix> x = settings.sub_views
                              ? sub_views(weights, features, training, result.buffers)
                              : cells(settings, frame, weights, features);
  for (Matrix& trip : x) {
    if (settings.sub_views && settings.block == BlockKind::vanilla) add_positions(trip);
    for (std::size_t i = 0; i < settings.layers; ++i)
      layer(settings, weights, "layers." + std::to_string(i) + ".", trip);
    const Vector bias = settings.unit_norm ? weights.at("head.bias") : Vector();
    Vector e = linear(weights.at("head.weight"), bias, pooled(settings, trip));
    if (settings.unit_norm) {
      const double length = std::sqrt(dot(e.data(), e.data(), e.size()));
      for (double& value : e) value /= length;
    }
    result.embeddings.push_back(std::move(e));
  }
  return result;
}

}  // namespace tsmini
