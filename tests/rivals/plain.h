// Networks in plain loops and double precision, written from their formulas: what the rivals'
// tensors are compared with.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rivals/core/tensors.h"

namespace tsmini::rivals::plain {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

// A tensor of one or two dimensions as doubles; one of one dimension is a single row.
Rows rows_of(const Tensor& tensor);
Row row_of(const Tensor& tensor);

// Parameters and buffers of a module by name.
class Weights {
 public:
  explicit Weights(const torch::nn::Module& module);
  Rows matrix(const std::string& name) const;
  Row vector(const std::string& name) const;

 private:
  std::map<std::string, Tensor> tensors_;
};

double sigmoid(double x);
double dot(const Row& a, const Row& b);
Row plus(const Row& a, const Row& b);
Row scaled(const Row& a, double by);
// W x + b, W [out, in]; without b where it is empty.
Row linear(const Rows& w, const Row& x, const Row& b = {});
Row softmax(const Row& logits);
Row mean(const Rows& rows);
Row layer_norm(const Row& x, const Row& gain, const Row& shift, double epsilon = 1e-5);
Rows positions(std::size_t length, std::size_t width);

// Hidden states of all steps; gates in PyTorch's order: input, forget, candidate, output.
Rows lstm(const Weights& weights, const std::string& prefix, const Rows& x);
// Likewise: reset, update, new.
Rows gru(const Weights& weights, const std::string& prefix, const Rows& x);

// Attention of the names "PREFIX.input.weight", …; `bias` is added to the logits of every head. The
// sequence has no padding. `weights_out`, where given, gets the weights of the first head.
Rows attention(const Weights& weights, const std::string& prefix, const Rows& x, std::size_t heads,
               const Rows& bias = {}, Rows* weights_out = nullptr);
Rows encoder_layer(const Weights& weights, const std::string& prefix, const Rows& x,
                   std::size_t heads, const Rows& bias = {}, Rows* weights_out = nullptr);

// Largest difference of two rows, over 1 plus the largest value.
double difference(const Row& a, const Row& b);

}  // namespace tsmini::rivals::plain
