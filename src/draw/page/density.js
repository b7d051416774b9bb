// How many trips pass over each pixel, as the still pictures have it: a line adds its length in
// pixels, spread over three across its direction.
class Density {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.stride = width + 10;
    this.origin = 5 * this.stride + 5;
    this.cells = new Float32Array(this.stride * (height + 10));
  }

  addLine(x0, y0, x1, y1) {
    const dx = x1 - x0, dy = y1 - y0;
    let begin = 0, end = 1;
    for (const [from, change, high] of [[x0, dx, this.width + 2], [y0, dy, this.height + 2]]) {
      if (change === 0) {
        if (from < -2 || from > high) return;
        continue;
      }
      const a = (-2 - from) / change, b = (high - from) / change;
      begin = Math.max(begin, Math.min(a, b));
      end = Math.min(end, Math.max(a, b));
    }
    if (begin >= end) return;
    const ax = x0 + begin * dx, ay = y0 + begin * dy, bx = x0 + end * dx, by = y0 + end * dy;
    if (Math.abs(dx) >= Math.abs(dy)) this.addRun(ax, ay, bx, by, 1, this.stride);
    else this.addRun(ay, ax, by, bx, this.stride, 1);
  }

  addRun(u0, v0, u1, v1, stepU, stepV) {
    if (u1 < u0) [u0, v0, u1, v1] = [u1, v1, u0, v0];
    if (u0 === u1) return;
    const slope = (v1 - v0) / (u1 - u0), weight = Math.sqrt(1 + slope * slope);
    for (let column = Math.floor(u0); column < u1; column++) {
      const left = Math.max(u0, column), right = Math.min(u1, column + 1);
      const v = v0 + ((left + right) / 2 - u0) * slope;
      const row = Math.floor(v), t = v - row - 0.5, mass = (right - left) * weight;
      const low = mass * 0.5 * (0.5 - t) * (0.5 - t), high = mass * 0.5 * (0.5 + t) * (0.5 + t);
      const cell = this.origin + column * stepU + row * stepV;
      this.cells[cell - stepV] += low;
      this.cells[cell] += mass - low - high;
      this.cells[cell + stepV] += high;
    }
  }

  addDot(x, y) {
    if (x < 0 || y < 0 || x > this.width || y > this.height) return;
    for (let row = Math.floor(y) - 2; row <= Math.floor(y) + 2; row++) {
      for (let column = Math.floor(x) - 2; column <= Math.floor(x) + 2; column++) {
        const distance = Math.hypot(column + 0.5 - x, row + 0.5 - y);
        this.cells[this.origin + row * this.stride + column] += Math.max(0, Math.min(1, 2 - distance));
      }
    }
  }

  // Adds a raster of the same size.
  merge(other) {
    for (let i = 0; i < this.cells.length; i++) this.cells[i] += other.cells[i];
  }

  at(x, y) {
    return this.cells[this.origin + y * this.stride + x];
  }

  // The 99.7th percentile of the pixels that have any, but at least one trip.
  top() {
    const bins = new Uint32Array(4096);
    let pixels = 0;
    for (const cell of this.cells) {
      if (cell <= 0) continue;
      bins[Math.min(4095, Math.floor(Math.log1p(cell) * 256))]++;
      pixels++;
    }
    for (let bin = 0, seen = 0; bin < 4096 && pixels > 0; bin++) {
      seen += bins[bin];
      if (seen >= 0.997 * pixels) return Math.max(1, Math.expm1((bin + 1) / 256));
    }
    return 1;
  }

  // A byte a pixel; `level` is given a density and the unit of the logarithmic scale.
  bytes(level) {
    const bytes = new Uint8Array(this.width * this.height), unit = 1 / Math.log1p(this.top());
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const density = this.at(x, y);
        if (density > 0) bytes[y * this.width + x] = Math.min(255, 255 * level(density, unit));
      }
    }
    return bytes;
  }

  levels() {
    return this.bytes((density, unit) => Math.log1p(density) * unit);
  }

  // How much of its tint a pixel shows: a single trip is seen well, many more so.
  strengths() {
    return this.bytes((density, unit) => 0.55 * Math.min(1, density) + 0.45 * Math.log1p(density) * unit);
  }
}
