// The lines on top of the ground.

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

// Trips of the ground that belong to it.
function drawMembers(line) {
  const most = 3000, step = Math.max(1, line.members.length / most);
  for (let i = 0; i < line.members.length; i += step) {
    trace(line.members[Math.floor(i)]);
    stroke(line.colour[style], 1.5, 0.9);
  }
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
  if (painted.pixels) {
    const grown = view.scale / painted.scale / painted.fine;
    const w = painted.canvas.width * grown, h = painted.canvas.height * grown;
    pen.drawImage(painted.canvas, screenX(painted.x) - w / 2, screenY(painted.y) - h / 2, w, h);
  }
  pen.lineCap = pen.lineJoin = 'round';
  const visible = order.filter(i => lines[i].shown && i !== highlighted);
  if (highlighted >= 0 && lines[highlighted].shown && lines[highlighted].drawn) visible.push(highlighted);
  if (highlighted >= 0 && lines[highlighted].shown) drawMembers(lines[highlighted]);
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
