'use strict';
// What the file holds. The map is data in the element #map. Positions are whole numbers of quanta
// from an origin; the view is in lengths (metres, or the unit of planar data) from there, x to the
// east, y to the north.

const map = JSON.parse(document.getElementById('map').textContent);
const element = id => document.getElementById(id);

// Numbers of seven bits a byte.
class Numbers {
  constructor(base64) {
    this.text = atob(base64);
    this.at = 0;
  }

  get ended() {
    return this.at >= this.text.length;
  }

  next() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.text.charCodeAt(this.at++);
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }

  // Even numbers are steps forward, odd ones back.
  step() {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

const nowhere = () => ({left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity});

function widen(box, other) {
  box.left = Math.min(box.left, other.left);
  box.right = Math.max(box.right, other.right);
  box.bottom = Math.min(box.bottom, other.bottom);
  box.top = Math.max(box.top, other.top);
}

// The trips that are coded so: how many points a trip has, then the steps from point to point, the
// first from the last point of the trip before.
function tripsFrom(base64) {
  const numbers = new Numbers(base64), trips = [];
  let x = 0, y = 0;
  while (!numbers.ended) {
    const count = numbers.next();
    const trip = {x: new Float64Array(count), y: new Float64Array(count), line: -1, ...nowhere()};
    for (let i = 0; i < count; i++) {
      x += numbers.step();
      y += numbers.step();
      trip.x[i] = x * map.quantum[0];
      trip.y[i] = y * map.quantum[1];
      widen(trip, {left: trip.x[i], right: trip.x[i], bottom: trip.y[i], top: trip.y[i]});
    }
    trips.push(trip);
  }
  return trips;
}

const ground = tripsFrom(map.trips);
const paths = tripsFrom(map.paths);
let pathsTaken = 0;
const lines = map.lines.map(line => {
  const path = line.drawn ? paths[pathsTaken++] : {x: [], y: [], ...nowhere()};
  return {...line, ...path, shown: true, members: []};
});

// Trips of the ground that belong to a line.
const lineNumbers = new Numbers(map.line_of_trip);
for (const trip of ground) {
  trip.line = lineNumbers.ended ? -1 : lineNumbers.next() - 1;
  if (trip.line < 0) continue;
  lines[trip.line].members.push(trip);
  widen(lines[trip.line], trip);
}
// How many lines have each tint: colours repeat.
const linesOfTint = [];
for (const {tint} of lines) linesOfTint[tint] = (linesOfTint[tint] || 0) + 1;
const tintCount = lines.reduce((most, line) => Math.max(most, line.tint), 0);

// Broad lines under narrow ones, of equals the later.
const order = lines.map((_, i) => i).reverse().filter(i => lines[i].drawn)
  .sort((a, b) => lines[b].width - lines[a].width);

const imageFrom = link => {
  if (link === '') return null;
  const image = new Image();
  image.src = link;
  return image;
};
const rasters = map.rasters.map(({box, levels, strengths, tints}) => (
  {box, levels: imageFrom(levels), strengths: imageFrom(strengths), tints: imageFrom(tints)}));
