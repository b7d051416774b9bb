'use strict';
// The map is data in the element #map. Positions are whole numbers of quanta from an origin; the
// view is in lengths (metres, or the unit of planar data) from there, x to the east, y to the north.

const map = JSON.parse(document.getElementById('map').textContent);
const element = id => document.getElementById(id);

// ---------------------------------------------------------------- what the file holds

// Trips as numbers of seven bits a byte: how many points, then the steps from point to point, from
// the last one of the trip before too; even numbers are steps forward, odd ones back.
function tripsFrom(base64) {
  const text = atob(base64);
  let at = 0;
  const number = () => {
    let value = 0, factor = 1, byte;
    do {
      byte = text.charCodeAt(at++);
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  };
  const step = () => {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const trips = [];
  let x = 0, y = 0;
  while (at < text.length) {
    const count = number();
    const trip = {x: new Float64Array(count), y: new Float64Array(count),
                  left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity};
    for (let i = 0; i < count; i++) {
      x += step();
      y += step();
      trip.x[i] = x * map.quantum[0];
      trip.y[i] = y * map.quantum[1];
      trip.left = Math.min(trip.left, trip.x[i]);
      trip.right = Math.max(trip.right, trip.x[i]);
      trip.bottom = Math.min(trip.bottom, trip.y[i]);
      trip.top = Math.max(trip.top, trip.y[i]);
    }
    trips.push(trip);
  }
  return trips;
}

const ground = tripsFrom(map.trips);
const paths = tripsFrom(map.paths);
const lines = map.lines.map((line, i) => ({...line, ...paths[i], shown: true}));
// Broad lines under narrow ones, of equals the later.
const order = lines.map((_, i) => i).reverse().sort((a, b) => lines[b].width - lines[a].width);
const rasters = map.rasters.map(raster => {
  const image = new Image();
  image.src = raster.image;
  return {...raster, image};
});

// ---------------------------------------------------------------- the view

const canvas = element('canvas'), pen = canvas.getContext('2d');
const view = {x: 0, y: 0, scale: 1};  // the middle, and pixels a length
let style = map.style, highlighted = -1;
let fitted = map.views.whole;  // the box that the view was made for, until it is moved

const across = () => canvas.clientWidth || 1, down = () => canvas.clientHeight || 1;
const screenX = x => across() / 2 + (x - view.x) * view.scale;
const screenY = y => down() / 2 - (y - view.y) * view.scale;
const worldX = px => view.x + (px - across() / 2) / view.scale;
const worldY = py => view.y - (py - down() / 2) / view.scale;
const scaleOf = box => Math.min(across() / (box[2] - box[0]), down() / (box[3] - box[1]));

function show(box) {
  view.x = (box[0] + box[2]) / 2;
  view.y = (box[1] + box[3]) / 2;
  view.scale = scaleOf(box);
  fitted = box;
  changed();
}

function zoom(factor, px = across() / 2, py = down() / 2) {
  fitted = null;
  const x = worldX(px), y = worldY(py);
  const nearest = 20 / Math.max(map.quantum[0], map.quantum[1]);
  view.scale = Math.max(scaleOf(map.views.whole) / 20, Math.min(nearest, view.scale * factor));
  view.x += x - worldX(px);
  view.y += y - worldY(py);
  changed();
}

function pan(dx, dy) {
  fitted = null;
  view.x -= dx / view.scale;
  view.y += dy / view.scale;
  changed();
}

// ---------------------------------------------------------------- the ground

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

  // Logarithmic, 255 being the 99.7th percentile of the pixels that have any, but at least one trip.
  levels() {
    const bins = new Uint32Array(4096);
    let pixels = 0, top = 1;
    for (const cell of this.cells) {
      if (cell <= 0) continue;
      bins[Math.min(4095, Math.floor(Math.log1p(cell) * 256))]++;
      pixels++;
    }
    for (let bin = 0, seen = 0; bin < 4096 && pixels > 0; bin++) {
      seen += bins[bin];
      if (seen >= 0.997 * pixels) {
        top = Math.max(1, Math.expm1((bin + 1) / 256));
        break;
      }
    }
    const levels = new Uint8Array(this.width * this.height), unit = 255 / Math.log1p(top);
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const density = this.cells[this.origin + y * this.stride + x];
        if (density > 0) levels[y * this.width + x] = Math.min(255, Math.log1p(density) * unit);
      }
    }
    return levels;
  }
}

// The last ground that was painted, with the view it was painted for.
const painted = {canvas: document.createElement('canvas'), levels: null, x: 0, y: 0, scale: 0};
let job = 0;  // the number of the latest

// In slices of some milliseconds, so that the page goes on answering; given up when the view changes.
async function paintGround() {
  const mine = ++job;
  const fine = devicePixelRatio > 1 && across() * down() < 2e6 ? Math.min(devicePixelRatio, 2) : 1;
  const width = Math.ceil(across() * fine), height = Math.ceil(down() * fine);
  const {x, y, scale} = view, s = scale * fine;
  const density = new Density(width, height);
  const left = x - width / 2 / s, right = x + width / 2 / s, bottom = y - height / 2 / s, top = y + height / 2 / s;
  const detailed = rasters.length === 0 || rasters.every(r => s * (r.box[2] - r.box[0]) / r.image.width > 1.5);
  let pause = performance.now() + 12;
  for (const trip of detailed ? ground : []) {
    if (trip.right < left || trip.left > right || trip.top < bottom || trip.bottom > top) continue;
    let px = (trip.x[0] - left) * s, py = (top - trip.y[0]) * s, length = 0;
    const firstX = px, firstY = py;
    for (let i = 1; i < trip.x.length; i++) {
      const qx = (trip.x[i] - left) * s, qy = (top - trip.y[i]) * s;
      density.addLine(px, py, qx, qy);
      length += Math.abs(qx - px) + Math.abs(qy - py);
      px = qx;
      py = qy;
    }
    if (length < 1) density.addDot(firstX, firstY);
    if (performance.now() > pause) {
      await new Promise(go => setTimeout(go));
      if (mine !== job) return;
      pause = performance.now() + 12;
    }
  }
  const levels = density.levels();
  if (rasters.length > 0) addRasters(levels, {x, y, s, width, height}, detailed ? 0.6 : 1);
  Object.assign(painted, {levels, x, y, scale, fine});
  painted.canvas.width = width;
  painted.canvas.height = height;
  colourGround();
  draw();
}

// Where trips are too many for the file there are pictures of all, which grow dim as one comes near.
function addRasters(levels, {x, y, s, width, height}, strength) {
  const board = document.createElement('canvas');
  board.width = width;
  board.height = height;
  const brush = board.getContext('2d', {willReadFrequently: true});
  brush.imageSmoothingQuality = 'high';
  for (const {box, image} of rasters) {
    brush.drawImage(image, width / 2 + (box[0] - x) * s, height / 2 - (box[3] - y) * s,
                    (box[2] - box[0]) * s, (box[3] - box[1]) * s);
  }
  const pixels = brush.getImageData(0, 0, width, height).data;
  for (let i = 0; i < levels.length; i++) levels[i] = Math.max(levels[i], strength * pixels[4 * i]);
}

function colourGround() {
  const {canvas: board, levels} = painted;
  if (!levels) return;
  const scale = map.styles[style].ground, steps = scale.length - 1;
  const table = new Uint32Array(256);
  for (let level = 0; level < 256; level++) {
    const at = level / 255 * steps, step = Math.min(Math.floor(at), steps - 1), share = at - step;
    const [r, g, b] = [0, 1, 2].map(k => Math.round(scale[step][k] + (scale[step + 1][k] - scale[step][k]) * share));
    table[level] = (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  }
  const image = new ImageData(board.width, board.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = table[levels[i]];
  board.getContext('2d').putImageData(image, 0, 0);
}

// ---------------------------------------------------------------- the lines on top

function trace(line) {
  pen.beginPath();
  let lastX = NaN, lastY = NaN;
  for (let i = 0; i < line.x.length; i++) {
    const px = screenX(line.x[i]), py = screenY(line.y[i]);
    if (i > 0 && i < line.x.length - 1 && Math.abs(px - lastX) + Math.abs(py - lastY) < 0.5) continue;
    if (i === 0) pen.moveTo(px, py);
    pen.lineTo(px, py);
    lastX = px;
    lastY = py;
  }
}

function stroke(colour, width, opacity) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.globalAlpha = opacity;
  pen.stroke();
  pen.globalAlpha = 1;
}

function disc(px, py, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(px, py, radius, 0, 2 * Math.PI);
  pen.fill();
}

function drawLine(line, isHighlighted) {
  const back = map.styles[style].map, others = highlighted >= 0 && !isHighlighted ? 0.3 : 1;
  trace(line);
  if (line.opacity > 0.6) stroke(back, line.width + 2, 0.6 * others);
  stroke(line.colour[style], line.width + (isHighlighted ? 2 : 0), Math.min(1, line.opacity + (isHighlighted ? 0.3 : 0)) * others);
}

function drawEnds(line) {
  const last = line.x.length - 1;
  disc(screenX(line.x[0]), screenY(line.y[0]), 7, line.colour[style]);
  disc(screenX(line.x[0]), screenY(line.y[0]), 4, map.styles[style].map);
  disc(screenX(line.x[last]), screenY(line.y[last]), 6, line.colour[style]);
}

// After a share of its length.
function placeOn(line, share) {
  let length = 0;
  const piece = i => Math.hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
  for (let i = 1; i < line.x.length; i++) length += piece(i);
  let rest = share * length;
  for (let i = 1; i < line.x.length; i++) {
    const p = piece(i);
    if (rest <= p && p > 0) {
      const part = rest / p;
      return [line.x[i - 1] + part * (line.x[i] - line.x[i - 1]), line.y[i - 1] + part * (line.y[i] - line.y[i - 1])];
    }
    rest -= p;
  }
  return [line.x[0], line.y[0]];
}

const badged = lines.filter(line => line.badge !== '');
badged.forEach((line, i) => { line.badgePlace = placeOn(line, (i + 0.5) / badged.length); });

function drawBadge(line) {
  const px = screenX(line.badgePlace[0]), py = screenY(line.badgePlace[1]);
  disc(px, py, 9.25, map.styles[style].map);
  disc(px, py, 7.75, line.colour[style]);
  pen.fillStyle = map.styles[style].map;
  pen.font = 'bold 10px sans-serif';
  pen.textAlign = 'center';
  pen.fillText(line.badge, px, py + 3.6);
}

function draw() {
  const ratio = devicePixelRatio || 1, width = Math.round(across() * ratio), height = Math.round(down() * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = map.styles[style].map;
  pen.fillRect(0, 0, across(), down());
  if (painted.levels) {
    const grown = view.scale / painted.scale / painted.fine;
    const w = painted.canvas.width * grown, h = painted.canvas.height * grown;
    pen.drawImage(painted.canvas, screenX(painted.x) - w / 2, screenY(painted.y) - h / 2, w, h);
  }
  pen.lineCap = pen.lineJoin = 'round';
  const visible = order.filter(i => lines[i].shown && i !== highlighted);
  if (highlighted >= 0 && lines[highlighted].shown) visible.push(highlighted);
  for (const i of visible) drawLine(lines[i], i === highlighted);
  for (const i of visible) if (lines[i].ends) drawEnds(lines[i]);
  for (const i of visible) if (lines[i].badge !== '') drawBadge(lines[i]);
  drawScale();
}

// The line under the pointer, or -1.
function lineAt(px, py) {
  let best = -1, least = 7;
  lines.forEach((line, i) => {
    if (!line.shown) return;
    const reach = Math.max(7, line.width / 2 + 2) / view.scale, x = worldX(px), y = worldY(py);
    if (x < line.left - reach || x > line.right + reach || y < line.bottom - reach || y > line.top + reach) return;
    for (let k = 0; k < line.x.length; k++) {
      const from = Math.max(0, k - 1);
      const distance = Math.max(0, distanceTo(x, y, line, from, k) * view.scale - line.width / 2 + 1);
      if (distance < least) [best, least] = [i, distance];
    }
  });
  return best;
}

function distanceTo(x, y, line, from, to) {
  const dx = line.x[to] - line.x[from], dy = line.y[to] - line.y[from], length2 = dx * dx + dy * dy;
  const ex = x - line.x[from], ey = y - line.y[from];
  const t = length2 > 0 ? Math.max(0, Math.min(1, (ex * dx + ey * dy) / length2)) : 0;
  return Math.hypot(ex - t * dx, ey - t * dy);
}

// ---------------------------------------------------------------- the page around

function drawScale() {
  const most = Math.min(200, across() / 4) / view.scale;
  const power = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].map(factor => factor * power).find(value => value <= most) || power;
  element('scale').style.width = length * view.scale + 'px';
  const short = value => String(Number(value.toPrecision(3)));
  element('scale').firstElementChild.textContent =
    !map.degrees ? short(length) : length < 1000 ? short(length) + ' m' : short(length / 1000) + ' km';
}

function positionText(px, py) {
  const first = map.origin[0] + worldX(px) / map.unit[0], second = map.origin[1] + worldY(py) / map.unit[1];
  const decimals = Math.max(0, Math.min(12, Math.ceil(Math.log10(view.scale * map.unit[1]))));
  if (!map.degrees) return 'x ' + first.toFixed(decimals) + ', y ' + second.toFixed(decimals);
  const lon = ((first + 180) % 360 + 360) % 360 - 180;
  return 'lon ' + lon.toFixed(decimals) + ', lat ' + second.toFixed(decimals);
}

function setStyle(name) {
  style = name;
  const colours = map.styles[style], root = document.documentElement.style;
  for (const key of ['page', 'map', 'ink', 'faint', 'line']) root.setProperty('--' + key, colours[key]);
  root.colorScheme = style === 'night' ? 'dark' : 'light';
  lines.forEach(line => {
    if (!line.sign) return;
    if (line.badge !== '') line.sign.style.background = line.colour[style];
    else line.sign.style.borderTop = Math.min(line.width, 11) + 'px solid ' + line.colour[style];
  });
  colourGround();
  draw();
}

function highlight(i) {
  if (i === highlighted) return;
  highlighted = i;
  draw();
}

function addToLegend(line, i) {
  const entry = document.createElement('button');
  const [sign, label, note] = ['i', 'b', 'em'].map(tag => entry.appendChild(document.createElement(tag)));
  if (line.badge !== '') {
    sign.className = 'badge';
    sign.textContent = line.badge;
  } else {
    sign.style.opacity = line.opacity;
  }
  line.sign = sign;
  label.textContent = label.title = line.label;
  note.textContent = note.title = line.note;
  entry.setAttribute('aria-pressed', 'true');
  entry.title = 'click: hide or show; double-click: zoom to it';
  entry.onmouseenter = entry.onfocus = () => highlight(i);
  entry.onmouseleave = entry.onblur = () => highlight(-1);
  entry.onclick = () => {
    line.shown = !line.shown;
    entry.setAttribute('aria-pressed', String(line.shown));
    draw();
  };
  entry.ondblclick = () => {
    const room = Math.max(line.right - line.left, line.top - line.bottom) * 0.05 || 50 / scaleOf(map.views.whole);
    show([line.left - room, line.bottom - room, line.right + room, line.top + room]);
  };
  element('legend').appendChild(entry);
}

let waiting = 0;
function changed() {
  clearTimeout(waiting);
  ++job;
  waiting = setTimeout(paintGround, 40);
  requestAnimationFrame(draw);
}

// ---------------------------------------------------------------- hands on it

const pane = element('view'), pointers = new Map();
const placeOf = event => {
  const box = pane.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

pane.onpointerdown = event => {
  if (event.target.closest('button')) return;
  pane.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, placeOf(event));
  pane.classList.add('dragging');
  pane.focus({preventScroll: true});
};
pane.onpointermove = event => {
  const [px, py] = placeOf(event), before = pointers.get(event.pointerId);
  element('position').textContent = positionText(px, py);
  if (!before) return hover(event, px, py);
  const other = [...pointers].find(([id]) => id !== event.pointerId);
  pointers.set(event.pointerId, [px, py]);
  if (other) {
    const [ox, oy] = other[1];
    pan((px - before[0]) / 2, (py - before[1]) / 2);
    zoom(Math.hypot(px - ox, py - oy) / Math.max(1, Math.hypot(before[0] - ox, before[1] - oy)), (px + ox) / 2, (py + oy) / 2);
  } else {
    pan(px - before[0], py - before[1]);
  }
};
pane.onpointerup = pane.onpointercancel = event => {
  pointers.delete(event.pointerId);
  if (pointers.size === 0) pane.classList.remove('dragging');
};
pane.onpointerleave = () => {
  element('tip').hidden = true;
  highlight(-1);
};
pane.addEventListener('wheel', event => {
  event.preventDefault();
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
  zoom(Math.exp(-pixels * 0.0018), ...placeOf(event));
}, {passive: false});
pane.ondblclick = event => {
  if (!event.target.closest('button')) zoom(2, ...placeOf(event));
};

function hover(event, px, py) {
  const i = event.target.closest('button') ? -1 : lineAt(px, py), tip = element('tip');
  tip.hidden = i < 0;
  if (i >= 0) {
    tip.textContent = lines[i].note === '' ? lines[i].label : lines[i].label + ' · ' + lines[i].note;
    tip.style.left = Math.max(4, Math.min(px + 14, across() - tip.offsetWidth - 4)) + 'px';
    tip.style.top = Math.max(4, py - tip.offsetHeight - 10) + 'px';
  }
  highlight(i);
}

const actions = {
  '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), '_': () => zoom(1 / 1.5),
  '0': () => show(map.views.whole), '9': () => map.views.bulk && show(map.views.bulk),
  'd': () => setStyle(style === 'night' ? 'day' : 'night'),
  'ArrowLeft': () => pan(80, 0), 'ArrowRight': () => pan(-80, 0),
  'ArrowUp': () => pan(0, 80), 'ArrowDown': () => pan(0, -80),
};
document.onkeydown = event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
  if (event.key.startsWith('Arrow') && element('legend').contains(event.target)) return;
  event.preventDefault();
  actions[event.key]();
};
for (const [id, key] of [['nearer', '+'], ['farther', '-'], ['whole', '0'], ['bulk', '9'], ['style', 'd']]) {
  element(id).onclick = actions[key];
}

// ---------------------------------------------------------------- the beginning

document.querySelector('h1').textContent = map.title;
document.querySelector('header p').textContent = map.subtitle;
canvas.setAttribute('aria-label', map.title + '. ' + map.subtitle);
element('note').textContent = map.note;
element('bulk').hidden = !map.views.bulk;
element('legend').hidden = lines.length === 0;
lines.forEach(addToLegend);
setStyle(style);
show(map.views.whole);
new ResizeObserver(() => {
  if (fitted) show(fitted);
  else changed();
  draw();
}).observe(pane);
Promise.all(rasters.map(({image}) => image.decode())).then(changed);
