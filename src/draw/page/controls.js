// What pointers, keys and buttons do, and the start of the page.

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
const images = rasters.flatMap(({levels, strengths, tints}) => [levels, strengths, tints]);
Promise.all(images.filter(image => image).map(image => image.decode())).then(changed);
