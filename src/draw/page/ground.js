// The ground under the lines: all trips, grey or glowing. Those that belong to a line lie on top, in
// its colour (a tint); where several tints pass a pixel it has that of most trips.

// The last ground that was painted, with the view it was painted for.
const painted = {canvas: document.createElement('canvas'), pixels: null, x: 0, y: 0, scale: 0};
let job = 0;  // the number of the latest

// Painting goes on in slices of some milliseconds, so that the page goes on answering.
class Slices {
  constructor() {
    this.job = ++job;
    this.end = performance.now() + 12;
  }

  // False where the view has changed meanwhile.
  async goOn() {
    if (performance.now() > this.end) {
      await new Promise(go => setTimeout(go));
      this.end = performance.now() + 12;
    }
    return this.job === job;
  }
}

// Null where it was given up.
async function densityOf(trips, frame, slices) {
  const {left, top, right, bottom, s, width, height} = frame;
  const density = new Density(width, height);
  for (const trip of trips) {
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
    if (!await slices.goOn()) return null;
  }
  return density;
}

// Levels of trips without a tint, and of each pixel the tint and its strength.
async function pixelsOf(trips, frame, slices) {
  const tintOf = trip => trip.line < 0 ? 0 : lines[trip.line].tint;
  const plain = await densityOf(trips.filter(trip => tintOf(trip) === 0), frame, slices);
  if (!plain) return null;
  const {width, height} = frame, tints = new Uint8Array(width * height);
  const tinted = new Density(width, height), most = new Float32Array(width * height);
  for (let tint = 1; tint <= tintCount; tint++) {
    const density = await densityOf(trips.filter(trip => tintOf(trip) === tint), frame, slices);
    if (!density) return null;
    tinted.merge(density);
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const here = density.at(x, y);
        if (here <= most[i]) continue;
        most[i] = here;
        tints[i] = tint;
      }
    }
  }
  return {levels: plain.levels(), strengths: tinted.strengths(), tints};
}

async function paintGround() {
  const slices = new Slices();
  const fine = devicePixelRatio > 1 && across() * down() < 2e6 ? Math.min(devicePixelRatio, 2) : 1;
  const width = Math.ceil(across() * fine), height = Math.ceil(down() * fine);
  const {x, y, scale} = view, s = scale * fine;
  const frame = {x, y, s, width, height, left: x - width / 2 / s, right: x + width / 2 / s,
                 bottom: y - height / 2 / s, top: y + height / 2 / s};
  const detailed = rasters.length === 0 ||
    rasters.every(r => s * (r.box[2] - r.box[0]) / r.levels.width > 1.5);
  const isShown = trip => trip.line < 0 || lines[trip.line].shown;
  const pixels = await pixelsOf(detailed ? ground.filter(isShown) : [], frame, slices);
  if (!pixels) return;
  if (rasters.length > 0) addRasters(pixels, frame, detailed ? 0.6 : 1);
  Object.assign(painted, {pixels, x, y, scale, fine});
  painted.canvas.width = width;
  painted.canvas.height = height;
  colourGround();
  draw();
}

// One of the pictures of each raster, as it lies in the frame.
function pictureOf(kind, {x, y, s, width, height}, isSmooth) {
  const board = document.createElement('canvas');
  board.width = width;
  board.height = height;
  const brush = board.getContext('2d', {willReadFrequently: true});
  brush.imageSmoothingEnabled = isSmooth;
  brush.imageSmoothingQuality = 'high';
  for (const {box, [kind]: image} of rasters) {
    brush.drawImage(image, width / 2 + (box[0] - x) * s, height / 2 - (box[3] - y) * s,
                    (box[2] - box[0]) * s, (box[3] - box[1]) * s);
  }
  return brush.getImageData(0, 0, width, height).data;
}

// Where trips are too many for the file there are pictures of all, which grow dim as one comes near.
// A pixel has one tint, which goes when all lines that have it are hidden.
function addRasters({levels, strengths, tints}, frame, share) {
  const picture = pictureOf('levels', frame, true);
  for (let i = 0; i < levels.length; i++) levels[i] = Math.max(levels[i], share * picture[4 * i]);
  if (tintCount === 0) return;
  const isTintShown = new Uint8Array(256);
  for (const line of lines) if (line.shown) isTintShown[line.tint] = 1;
  const strong = pictureOf('strengths', frame, true), which = pictureOf('tints', frame, false);
  for (let i = 0; i < tints.length; i++) {
    const strength = share * strong[4 * i];
    if (which[4 * i] === 0 || !isTintShown[which[4 * i]] || strength <= strengths[i]) continue;
    strengths[i] = strength;
    tints[i] = which[4 * i];
  }
}

// [r, g, b] of each level, then of each tint.
const levelColours = () => {
  const scale = map.styles[style].ground, steps = scale.length - 1;
  return Array.from({length: 256}, (_, level) => {
    const at = level / 255 * steps, step = Math.min(Math.floor(at), steps - 1), share = at - step;
    return [0, 1, 2].map(k => Math.round(scale[step][k] + (scale[step + 1][k] - scale[step][k]) * share));
  });
};
const tintColours = () => {
  const colours = [];
  for (const line of lines) {
    const number = parseInt(line.colour[style].slice(1), 16);
    colours[line.tint] = [number >> 16, number >> 8 & 255, number & 255];
  }
  return colours;
};

function colourGround() {
  const {canvas: board, pixels} = painted;
  if (!pixels) return;
  const colours = levelColours(), tinted = tintColours(), {levels, strengths, tints} = pixels;
  const image = new ImageData(board.width, board.height);
  const words = new Uint32Array(image.data.buffer);
  for (let i = 0; i < words.length; i++) {
    let [r, g, b] = colours[levels[i]];
    if (tints[i] > 0) {
      const [tr, tg, tb] = tinted[tints[i]], share = strengths[i] / 255;
      r += (tr - r) * share;
      g += (tg - g) * share;
      b += (tb - b) * share;
    }
    words[i] = (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  }
  board.getContext('2d').putImageData(image, 0, 0);
}
