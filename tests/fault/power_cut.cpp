#include "fault/power_cut.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "support/files.h"

namespace tsmini {
namespace {

using fault::Event;

constexpr std::size_t sector = 512;

// Whether something that nobody waited for is kept.
bool is_kept(Loss loss, Loss kind, std::mt19937& random) {
  if (loss == Loss::some) return random() % 2 == 0;
  return loss != Loss::everything && loss != kind;
}

}  // namespace

std::vector<Happening> read_log(const std::filesystem::path& log) {
  const std::string bytes = read_file(log);
  std::vector<Happening> result;
  std::size_t at = 0;
  const auto take = [&](std::size_t size) {
    if (bytes.size() - at < size) throw std::runtime_error(log.string() + ": is cut short");
    at += size;
    return bytes.substr(at - size, size);
  };
  while (at < bytes.size()) {
    Happening happening;
    const std::string head = take(sizeof happening.entry);
    std::memcpy(&happening.entry, head.data(), head.size());
    happening.name = take(happening.entry.name_size);
    happening.other_name = take(happening.entry.other_name_size);
    happening.data = take(happening.entry.data_size);
    result.push_back(std::move(happening));
  }
  return result;
}

Disk::Disk(std::uint64_t root) : root_(std::make_shared<Node>()) {
  root_->is_folder = true;
  nodes_[root] = root_;
}

Disk::NodePointer Disk::at(std::uint64_t number) const {
  const auto place = nodes_.find(number);
  if (place == nodes_.end()) throw std::runtime_error("the log speaks of a file it never saw");
  return place->second;
}

void Disk::apply(const Happening& h) {
  const fault::Entry& e = h.entry;
  switch (e.event) {
    case Event::file:
    case Event::folder:
      nodes_[e.node] = std::make_shared<Node>();
      nodes_[e.node]->is_folder = e.event == Event::folder;
      break;
    case Event::write: at(e.node)->pending.push_back({e.offset, h.data, false}); break;
    case Event::resize: at(e.node)->pending.push_back({e.offset, {}, true}); break;
    case Event::sync: synchronise(at(e.node)); break;
    case Event::enter: pending_.push_back({{}, at(e.parent), at(e.node), {}, h.name}); break;
    case Event::leave: pending_.push_back({at(e.parent), {}, {}, h.name, {}}); break;
    case Event::move:
      pending_.push_back({at(e.parent), at(e.other_parent), at(e.node), h.name, h.other_name});
      break;
    case Event::acknowledge: break;
  }
}

void Disk::synchronise(const NodePointer& node) {
  for (const Change& change : node->pending) apply_to(node->bytes, change);
  node->pending.clear();
  std::erase_if(pending_, [&](const Naming& naming) {
    if (naming.from != node && naming.to != node) return false;
    apply_to(names_, naming);
    return true;
  });
}

void Disk::apply_to(std::string& bytes, const Change& change) {
  if (change.is_size) return bytes.resize(change.offset);
  bytes.resize(std::max(bytes.size(), change.offset + change.data.size()));
  bytes.replace(change.offset, change.data.size(), change.data);
}

void Disk::apply_to(Names& names, const Naming& naming) {
  if (naming.from) names[naming.from.get()].erase(naming.old_name);
  if (naming.to) names[naming.to.get()][naming.new_name] = naming.node;
}

std::string Disk::remains_of(const Node& file, Loss loss, std::mt19937& random) {
  std::string bytes = file.bytes;
  for (Change change : file.pending) {
    if (!is_kept(loss, Loss::data, random)) continue;
    const bool is_torn = loss == Loss::some && !change.is_size && random() % 4 == 0;
    if (is_torn) change.data.resize(random() % (change.data.size() / sector + 1) * sector);
    apply_to(bytes, change);
  }
  return bytes;
}

void Disk::write_folder(const Names& names, const Node& folder, const std::filesystem::path& path,
                        Loss loss, std::mt19937& random) {
  std::filesystem::create_directories(path);
  const auto place = names.find(&folder);
  if (place == names.end()) return;
  for (const auto& [name, node] : place->second) {
    if (node->is_folder) {
      write_folder(names, *node, path / name, loss, random);
    } else {
      write_file(path / name, remains_of(*node, loss, random));
    }
  }
}

void Disk::write_remains(const std::filesystem::path& folder, Loss loss,
                         std::mt19937& random) const {
  Names names = names_;
  for (const Naming& naming : pending_) {
    if (is_kept(loss, Loss::names, random)) apply_to(names, naming);
  }
  write_folder(names, *root_, folder, loss, random);
}

}  // namespace tsmini
