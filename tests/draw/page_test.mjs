// The script of the page, with the little of a browser that it needs:
//   node page_test.mjs FOLDER_OF_THE_SCRIPTS PART…
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

const [folder, ...parts] = process.argv.slice(2);
const textOf = part => readFileSync(`${folder}/${part}.js`, 'utf8');

// Draws nothing; of a picture, which has one value all over, it gives that back.
function brushOf() {
  let image = null;
  return new Proxy({
    drawImage: drawn => { image = drawn; },
    getImageData: (x, y, width, height) => ({data: new Uint8Array(4 * width * height).fill(Number(image.src))}),
  }, {get: (known, name) => known[name] ?? (() => {}), set: () => true});
}

class Element {
  clientWidth = 40;
  clientHeight = 30;
  style = {setProperty() {}};
  children = [];
  firstElementChild = {};
  getContext() { return this.brush ??= brushOf(); }
  appendChild(child) { return this.children.push(child), child; }
  setAttribute() {}
  addEventListener() {}
}

// What parts of the script make of a map, by name, and the legend.
function opened(map, parts, results) {
  const elements = {};
  const document = {
    documentElement: new Element(), createElement: () => new Element(), querySelector: () => new Element(),
    getElementById: id => elements[id] ??= id === 'map' ? {textContent: JSON.stringify(map)} : new Element(),
  };
  class Image { decode() { return Promise.resolve(); } }
  class ImageData { constructor(width, height) { this.data = new Uint8Array(4 * width * height); } }
  class ResizeObserver { observe() {} }
  const names = {document, Image, ImageData, ResizeObserver, devicePixelRatio: 1, requestAnimationFrame() {}};
  const script = `${parts.map(textOf).join('\n')}\nreturn {${results}};`;
  const made = new Function(...Object.keys(names), script)(...Object.values(names));
  return {...made, legend: elements.legend?.children};
}
const pageOf = map => opened(map, parts, 'view, painted, paintGround');

const look = {page: '#000', map: '#000', ink: '#000', faint: '#000', line: '#000', ground: [[0, 0, 0], [9, 9, 9]]};
const mapOf = (lines, rasters) => ({
  title: '', subtitle: '', note: '', style: 'day', degrees: false, origin: [0, 0], unit: [1, 1], quantum: [1, 1],
  views: {whole: [0, 0, 40, 30]}, styles: {day: look, night: look}, paths: '', trips: '', line_of_trip: '',
  lines, rasters});
const group = tint => ({
  label: 'g', note: '', colour: {day: '#102030', night: '#102030'}, width: 2, opacity: 1, badge: '', ends: false,
  tint, drawn: false});
const picture = tint => ({box: [0, 0, 40, 30], levels: '10', strengths: '200', tints: String(tint)});

async function tintsOf(page) {
  await page.paintGround();
  return [...new Set(page.painted.pixels.tints)];
}

test('a group that is hidden goes from the picture of all trips', async () => {
  const page = pageOf(mapOf([group(1), group(2)], [picture(2)]));
  assert.deepEqual(await tintsOf(page), [2]);
  page.legend[0].onclick();
  assert.deepEqual(await tintsOf(page), [2]);
  page.legend[1].onclick();
  assert.deepEqual(await tintsOf(page), [0]);
  page.legend[1].onclick();
  assert.deepEqual(await tintsOf(page), [2]);
});

test('groups of one colour go together, and the legend says so', async () => {
  const page = pageOf(mapOf([group(1), group(2), group(1)], [picture(1)]));
  assert.match(page.legend[0].title, /all that have it/);
  assert.doesNotMatch(page.legend[1].title, /all that have it/);
  page.legend[0].onclick();
  assert.deepEqual(await tintsOf(page), [1]);
  page.legend[2].onclick();
  assert.deepEqual(await tintsOf(page), [0]);
});

test('to zoom to a group of which the page has no trip changes nothing', () => {
  const page = pageOf(mapOf([group(1)], [picture(1)]));
  const before = {...page.view};
  page.legend[0].ondblclick();
  assert.deepEqual(page.view, before);
});

test('there may be any number of lines', () => {
  const map = mapOf(Array.from({length: 200000}, () => group(3)), []);
  assert.equal(opened(map, ['data'], 'tintCount').tintCount, 3);
});
