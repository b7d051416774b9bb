// Where a node is in the graph of a trip, by the eigenvectors of the graph's Laplacian.
//
// The graph: every point is joined with the leaf that holds it, all leaves with each other, and
// every node with itself. With A its adjacency and D its degrees, the eigenvectors of I - D^-1/2 A
// D^-1/2 are those of S = D^-1/2 A D^-1/2, in falling order of its eigenvalues μ. Such a graph is
// simple enough that they can be written down, in time linear in its nodes; a numerical solver
// needs cubic time. Of L leaves let leaf l hold p points, so that d = L + p is its degree, and that
// of a point 2:
//
// - Points of one leaf against each other (sum 0) have μ = 1/2.
// - All others are alike on the points of a leaf: √d y on the leaf, √2 y / (2μ - 1) on its points,
//   where h(μ) y = Σ y over all leaves, h(μ) = μ d - p / (2μ - 1).
// - Leaves with equally many points against each other (Σ y = 0): the two μ where their h is 0.
// - The rest have y = 1 / h: the roots of Σ 1 / h = 1. The sum falls between any two such zeros, so
//   that exactly one root lies between them; one more lies between the last below 1/2 and 1/2; and
//   μ = 1 belongs to the constant one.
//
// Where several eigenvectors share a μ, any basis of theirs will do: here each of 1, 1, …, 1, -k,
// 0, …
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tsmini::rivals {

inline constexpr std::size_t laplacian_width = 8;
using LaplacianRow = std::array<float, laplacian_width>;

// The 8 eigenvectors after the first, of length 1; a row for every point, then for every leaf. 0
// where the graph has no more. leaves[i] is the leaf of point i: 0, 1, …, none of them empty.
std::vector<LaplacianRow> laplacian_rows(std::span<const std::int64_t> leaves);

}  // namespace tsmini::rivals
