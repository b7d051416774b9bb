#include "rivals/core/packing.h"

namespace tsmini::rivals {

Packing::Packing(const std::vector<std::int64_t>& lengths, std::int64_t longest,
                 const torch::Device& device)
    : count_(static_cast<std::int64_t>(lengths.size())), longest_(longest) {
  std::vector<std::int64_t> rows;
  std::int64_t first = 0;
  for (const std::int64_t length : lengths) {
    for (std::int64_t place = 0; place < length; ++place) rows.push_back(first + place);
    first += longest;
  }
  rows_ = torch::tensor(rows, torch::kLong).to(device);
  places_ = rows_.remainder(longest);
  mask_ = torch::zeros({count_ * longest_}, rows_.options().dtype(torch::kBool))
              .index_fill_(0, rows_, 1)
              .reshape({count_, longest_});
}

Tensor Packing::pack(const Tensor& padded) const {
  return padded.flatten(0, 1).index_select(0, rows_);
}

Tensor Packing::spread(const Tensor& packed) const {
  std::vector<std::int64_t> sizes = packed.sizes().vec();
  sizes.front() = count_ * longest_;
  return torch::zeros(sizes, packed.options())
      .index_copy_(0, rows_, packed)
      .unflatten(0, {count_, longest_});
}

}  // namespace tsmini::rivals
