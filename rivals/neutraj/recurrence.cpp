#include "rivals/neutraj/recurrence.h"

namespace tsmini::rivals {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

constexpr double left_out = -1e30;  // a logit that has no share in a softmax

// What the backward pass needs of all steps, one after the other.
struct Record {
  Tensor gates, candidate, state, cell, seen, read, squashed;

  Record(std::int64_t rows, std::int64_t width, const torch::TensorOptions& options)
      : gates(torch::empty({rows, 4 * width}, options)),
        candidate(torch::empty({rows, width}, options)),
        state(torch::empty({rows, width}, options)),
        cell(torch::empty({rows, width}, options)),
        seen(torch::empty({rows, 2 * width}, options)),
        read(torch::empty({rows, width}, options)),
        squashed(torch::empty({rows, width}, options)) {}
};

Tensor mix_of(const SamSteps& steps, const Tensor& memory, const Tensor& neighbours,
              const Tensor& fresh) {
  const std::int64_t around = neighbours.size(1);
  // As released, rows are gathered by place around the cell first, and then taken for rows by trip.
  const Tensor rows =
      steps.mixes_neighbours ? neighbours.t().reshape({-1}) : neighbours.reshape({-1});
  const Tensor there = memory.index_select(0, rows).view({-1, around, memory.size(1)});
  const Tensor logits = torch::bmm(there, fresh.unsqueeze(2)).squeeze(2);
  // A row never written is 0, and so is its logit. Where there is no other, the mean of zeros is 0.
  const Tensor shares = logits.masked_fill(logits == 0, left_out).softmax(1);
  return torch::bmm(shares.unsqueeze(1), there).squeeze(1);
}

class SamLstm : public torch::autograd::Function<SamLstm> {
 public:
  static Variable forward(AutogradContext* context, const SamSteps* steps, Tensor memory,
                          const Tensor& from_points, const Tensor& from_state, const Tensor& read,
                          const Tensor& read_bias) {
    const std::int64_t width = from_state.size(1);
    Record record(from_points.size(0), width, from_points.options());
    Tensor h = torch::zeros({steps->active.front(), width}, from_points.options()), c = h;
    Tensor last = torch::empty_like(h);
    const Tensor by_state = from_state.t(), by_seen = read.t();
    std::int64_t from = 0;
    for (std::size_t t = 0; t < steps->active.size(); ++t) {
      const std::int64_t count = steps->active[t];
      const auto part = [&](const Tensor& all) { return all.narrow(0, from, count); };
      Tensor state = part(record.state), cell = part(record.cell), gates = part(record.gates),
             candidate = part(record.candidate), seen = part(record.seen),
             seen_read = part(record.read), squashed = part(record.squashed);
      state.copy_(h.narrow(0, 0, count));
      cell.copy_(c.narrow(0, 0, count));
      const Tensor raw = torch::addmm(part(from_points), state, by_state);
      torch::sigmoid_out(gates, raw.narrow(1, 0, 4 * width));
      torch::tanh_out(candidate, raw.narrow(1, 4 * width, width));
      Tensor fresh = seen.narrow(1, width, width);
      const Tensor spatial = gates.narrow(1, 3 * width, width);
      torch::mul_out(fresh, gates.narrow(1, 0, width), candidate);
      fresh.addcmul_(gates.narrow(1, width, width), cell);
      seen.narrow(1, 0, width).copy_(mix_of(*steps, memory, part(steps->neighbours), fresh));
      seen_read.copy_(torch::addmm(read_bias, seen, by_seen));
      seen_read.tanh_();
      c = torch::addcmul(fresh, spatial, seen_read);
      torch::tanh_out(squashed, c);
      h = gates.narrow(1, 2 * width, width) * squashed;
      const std::int64_t going = steps->going[t], left = steps->going[t + 1];
      if (steps->writes) {
        const std::int64_t written = steps->writes_padding ? count : going;
        const Tensor here = part(steps->cells).narrow(0, 0, written);
        // Where several trips are in one cell, one's value stays: the last one's on the CPU, any
        // on a GPU.
        memory.index_copy_(0, here,
                           torch::lerp(c.narrow(0, 0, written), memory.index_select(0, here),
                                       spatial.narrow(0, 0, written)));
      }
      if (left < going) last.narrow(0, left, going - left).copy_(h.narrow(0, left, going - left));
      from += count;
    }
    context->saved_data["active"] = steps->active;
    context->saved_data["going"] = steps->going;
    context->save_for_backward({record.gates, record.candidate, record.state, record.cell,
                                record.seen, record.read, record.squashed, from_state});
    return last;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto active = context->saved_data["active"].toIntVector();
    const auto going = context->saved_data["going"].toIntVector();
    const variable_list saved = context->get_saved_variables();
    const Tensor &all_gates = saved[0], &all_candidates = saved[1], &all_states = saved[2],
                 &all_cells = saved[3], &all_seen = saved[4], &all_read = saved[5],
                 &all_squashed = saved[6], &from_state = saved[7];
    const std::int64_t width = from_state.size(1);
    const Tensor& by_last = gradients[0];
    const Tensor by_raw = torch::empty({all_gates.size(0), 5 * width}, all_gates.options());
    const Tensor by_read = torch::empty_like(all_read);
    Tensor by_h = torch::zeros_like(by_last), by_c = torch::zeros_like(by_last);
    std::int64_t from = all_gates.size(0);
    for (std::size_t t = active.size(); t-- > 0;) {
      const std::int64_t count = active[t];
      from -= count;
      const auto part = [&](const Tensor& all) { return all.narrow(0, from, count); };
      const auto gate = [&](std::int64_t i) { return part(all_gates).narrow(1, i * width, width); };
      const auto out = [&](std::int64_t i) { return part(by_raw).narrow(1, i * width, width); };
      const std::int64_t left = going[t + 1], ended = going[t] - left;
      if (ended > 0) by_h.narrow(0, left, ended).copy_(by_last.narrow(0, left, ended));
      const Tensor dh = by_h.narrow(0, 0, count), squashed = part(all_squashed);
      Tensor dc = by_c.narrow(0, 0, count);
      const Tensor candidate = part(all_candidates), read = part(all_read);
      // h = o tanh(c)
      Tensor output = out(2);
      torch::mul_out(output, dh, squashed);
      dc.add_(torch::tanh_backward(dh * gate(2), squashed));
      // c = ĉ + s r
      Tensor spatial = out(3), reads = part(by_read);
      torch::mul_out(spatial, dc, read);
      reads.copy_(torch::tanh_backward(dc * gate(3), read));
      // ĉ = f c + i g
      Tensor input = out(0), forget = out(1), fresh = out(4),
             gates = part(by_raw).narrow(1, 0, 4 * width);
      torch::mul_out(input, dc, candidate);
      torch::mul_out(forget, dc, part(all_cells));
      fresh.copy_(torch::tanh_backward(dc * gate(0), candidate));
      gates.copy_(torch::sigmoid_backward(gates, part(all_gates)));
      dc.mul_(gate(1));
      Tensor before = by_h.narrow(0, 0, count);
      torch::mm_out(before, part(by_raw), from_state);
    }
    return {Variable(),    Variable(), by_raw, by_raw.t().mm(all_states), by_read.t().mm(all_seen),
            by_read.sum(0)};
  }
};

}  // namespace

Tensor sam_lstm(const SamSteps& steps, const Tensor& memory, const Tensor& from_points,
                const Tensor& from_state, const Tensor& read, const Tensor& read_bias) {
  return SamLstm::apply(&steps, memory, from_points, from_state, read, read_bias);
}

}  // namespace tsmini::rivals
