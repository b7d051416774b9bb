// What part of the map is in view, and the way from the map to the screen and back.

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
