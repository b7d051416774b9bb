#include "rivals/plain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tsmini::rivals::plain {

Rows rows_of(const Tensor& tensor) {
  const Tensor here = tensor.detach().to(torch::kCPU, torch::kDouble).contiguous();
  const std::int64_t height = here.dim() < 2 ? 1 : here.size(0), width = here.numel() / height;
  Rows rows;
  for (std::int64_t i = 0; i < height; ++i) {
    const double* row = here.data_ptr<double>() + i * width;
    rows.emplace_back(row, row + width);
  }
  return rows;
}

Row row_of(const Tensor& tensor) {
  return rows_of(tensor.reshape(-1)).front();
}

Weights::Weights(const torch::nn::Module& module) {
  for (const auto& item : module.named_parameters()) tensors_[item.key()] = item.value();
  for (const auto& item : module.named_buffers()) tensors_[item.key()] = item.value();
}

Rows Weights::matrix(const std::string& name) const {
  return rows_of(tensors_.at(name));
}

Row Weights::vector(const std::string& name) const {
  return row_of(tensors_.at(name));
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Row plus(const Row& a, const Row& b) {
  Row sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

Row scaled(const Row& a, double by) {
  Row out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] * by;
  return out;
}

Row linear(const Rows& w, const Row& x, const Row& b) {
  Row out;
  for (std::size_t i = 0; i < w.size(); ++i) out.push_back(dot(w[i], x) + (b.empty() ? 0 : b[i]));
  return out;
}

Row softmax(const Row& logits) {
  const double top = *std::max_element(logits.begin(), logits.end());
  Row out;
  double sum = 0;
  for (const double logit : logits) sum += out.emplace_back(std::exp(logit - top));
  return scaled(out, 1 / sum);
}

Row mean(const Rows& rows) {
  Row sum(rows.front().size());
  for (const Row& row : rows) sum = plus(sum, row);
  return scaled(sum, 1 / static_cast<double>(rows.size()));
}

Row layer_norm(const Row& x, const Row& gain, const Row& shift, double epsilon) {
  const auto n = static_cast<double>(x.size());
  double average = 0, variance = 0;
  for (const double value : x) average += value / n;
  for (const double value : x) variance += (value - average) * (value - average) / n;
  Row out;
  for (std::size_t i = 0; i < x.size(); ++i)
    out.push_back((x[i] - average) / std::sqrt(variance + epsilon) * gain[i] + shift[i]);
  return out;
}

Rows positions(std::size_t length, std::size_t width) {
  Rows rows(length, Row(width));
  for (std::size_t p = 0; p < length; ++p) {
    for (std::size_t i = 0; i < width; ++i) {
      const double power = static_cast<double>(i / 2 * 2) / static_cast<double>(width);
      const double angle = static_cast<double>(p) / std::pow(10000.0, power);
      rows[p][i] = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return rows;
}

Rows lstm(const Weights& weights, const std::string& prefix, const Rows& x) {
  const Rows w = weights.matrix(prefix + ".weight_ih_l0"),
             u = weights.matrix(prefix + ".weight_hh_l0");
  const Row b = weights.vector(prefix + ".bias_ih_l0"), a = weights.vector(prefix + ".bias_hh_l0");
  const std::size_t width = u.front().size();
  Row h(width), c(width);
  Rows states;
  for (const Row& input : x) {
    const Row gates = plus(linear(w, input, b), linear(u, h, a));
    for (std::size_t i = 0; i < width; ++i) {
      c[i] = sigmoid(gates[width + i]) * c[i] + sigmoid(gates[i]) * std::tanh(gates[2 * width + i]);
      h[i] = sigmoid(gates[3 * width + i]) * std::tanh(c[i]);
    }
    states.push_back(h);
  }
  return states;
}

Rows gru(const Weights& weights, const std::string& prefix, const Rows& x) {
  const Rows w = weights.matrix(prefix + ".weight_ih_l0"),
             u = weights.matrix(prefix + ".weight_hh_l0");
  const Row b = weights.vector(prefix + ".bias_ih_l0"), a = weights.vector(prefix + ".bias_hh_l0");
  const std::size_t width = u.front().size();
  Row h(width);
  Rows states;
  for (const Row& input : x) {
    const Row from_x = linear(w, input, b), from_h = linear(u, h, a);
    for (std::size_t i = 0; i < width; ++i) {
      const double reset = sigmoid(from_x[i] + from_h[i]);
      const double update = sigmoid(from_x[width + i] + from_h[width + i]);
      const double fresh = std::tanh(from_x[2 * width + i] + reset * from_h[2 * width + i]);
      h[i] = (1 - update) * fresh + update * h[i];
    }
    states.push_back(h);
  }
  return states;
}

Rows attention(const Weights& weights, const std::string& prefix, const Rows& x, std::size_t heads,
               const Rows& bias, Rows* weights_out) {
  const Rows w = weights.matrix(prefix + ".input.weight");
  const Row b = weights.vector(prefix + ".input.bias");
  const std::size_t width = x.front().size(), part = width / heads, length = x.size();
  Rows all;
  for (const Row& row : x) all.push_back(linear(w, row, b));
  Rows mixed(length, Row(width));
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t i = 0; i < length; ++i) {
      Row logits(length);
      for (std::size_t j = 0; j < length; ++j) {
        for (std::size_t k = 0; k < part; ++k)
          logits[j] += all[i][head * part + k] * all[j][width + head * part + k];
        logits[j] /= std::sqrt(static_cast<double>(part));
        if (!bias.empty()) logits[j] += bias[i][j];
      }
      const Row share = softmax(logits);
      if (weights_out != nullptr && head == 0) weights_out->push_back(share);
      for (std::size_t j = 0; j < length; ++j)
        for (std::size_t k = 0; k < part; ++k)
          mixed[i][head * part + k] += share[j] * all[j][2 * width + head * part + k];
    }
  }
  Rows out;
  for (const Row& row : mixed)
    out.push_back(linear(weights.matrix(prefix + ".output.weight"), row,
                         weights.vector(prefix + ".output.bias")));
  return out;
}

Rows encoder_layer(const Weights& weights, const std::string& prefix, const Rows& x,
                   std::size_t heads, const Rows& bias, Rows* weights_out) {
  const Rows attended = attention(weights, prefix + ".attention", x, heads, bias, weights_out);
  Rows out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row middle =
        layer_norm(plus(x[i], attended[i]), weights.vector(prefix + ".first_norm.weight"),
                   weights.vector(prefix + ".first_norm.bias"));
    Row wide = linear(weights.matrix(prefix + ".widen.weight"), middle,
                      weights.vector(prefix + ".widen.bias"));
    for (double& value : wide) value = std::max(value, 0.0);
    const Row narrow = linear(weights.matrix(prefix + ".narrow.weight"), wide,
                              weights.vector(prefix + ".narrow.bias"));
    out.push_back(layer_norm(plus(middle, narrow), weights.vector(prefix + ".second_norm.weight"),
                             weights.vector(prefix + ".second_norm.bias")));
  }
  return out;
}

double difference(const Row& a, const Row& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
    if (std::isnan(a[i]) || std::isnan(b[i])) return std::numeric_limits<double>::infinity();
  }
  return most / (1 + largest);
}

}  // namespace tsmini::rivals::plain
