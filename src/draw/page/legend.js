// The page around the map: scale, position, colours, legend.

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
  const sharesPicture = rasters.length > 0 && line.tint > 0 && linesOfTint[line.tint] > 1;
  entry.title = 'click: hide or show; double-click: zoom to it' +
    (sharesPicture ? '\nthe picture of all trips hides a colour when all that have it are hidden' : '');
  entry.onmouseenter = entry.onfocus = () => highlight(i);
  entry.onmouseleave = entry.onblur = () => highlight(-1);
  entry.onclick = () => {
    line.shown = !line.shown;
    entry.setAttribute('aria-pressed', String(line.shown));
    if (line.tint > 0) changed();
    else draw();
  };
  entry.ondblclick = () => {
    if (line.right < line.left) return;  // its trips are in the picture only
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
