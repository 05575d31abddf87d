/** The script of a shared page: moving about the map, choosing a lot, one's own place. Without it the page is map and facts. */
export const shareScript = `'use strict';
const page = document.querySelector('.page');
const map = document.querySelector('.map');
const cards = [...document.querySelectorAll('details')];
if (cards.length > 8) for (const card of cards) card.open = false;
const wereOpen = new Set();
addEventListener('beforeprint', () => { for (const card of cards) { if (card.open) wereOpen.add(card); card.open = true; } });
addEventListener('afterprint', () => { for (const card of cards) card.open = wereOpen.has(card); wereOpen.clear(); });
if (map) {
  const svg = map.querySelector('svg');
  const said = map.querySelector('.said');
  const numbers = (text) => text.split(' ').map(Number);
  const first = numbers(svg.getAttribute('viewBox'));
  const whole = numbers(svg.dataset.whole);
  const [longitude, latitude, perLongitude, perLatitude, perMeter] = numbers(svg.dataset.place);
  let [x, y, width, height] = first;
  const texts = ['.numbers', '.pins', '.names'].flatMap((group) => [...svg.querySelectorAll(group + ' text')]);
  const names = new Map(texts.map((text) => [text, text.textContent]));
  // Units of a pixel: the whole view is seen, whatever the form of the window.
  const unit = () => Math.max(width / svg.clientWidth, height / svg.clientHeight);
  let waiting = 0;
  function tidy(u = unit()) {
    const boxes = [];
    for (const text of texts) {
      const { room, apn } = text.dataset;
      if (apn) text.textContent = room / u > 34 ? names.get(text) + ' · ' + apn : names.get(text);
      const high = 14 * u;
      const wide = text.textContent.length * 6.6 * u;
      const turn = (Number((text.getAttribute('transform') || '').match(/-?[\\d.]+/)) || 0) * Math.PI / 180;
      const [w, h] = [Math.abs(Math.cos(turn)) * wide + Math.abs(Math.sin(turn)) * high, Math.abs(Math.sin(turn)) * wide + Math.abs(Math.cos(turn)) * high];
      const [cx, cy] = [Number(text.getAttribute('x')), Number(text.getAttribute('y'))];
      const box = [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2];
      const meets = boxes.some(([a, b, c, d]) => box[0] < c && box[2] > a && box[1] < d && box[3] > b);
      text.classList.toggle('is-hidden', meets);
      if (!meets) boxes.push(box);
    }
  }
  const scale = map.querySelector('.scale');
  function show() {
    svg.setAttribute('viewBox', [x, y, width, height].join(' '));
    const u = unit();
    svg.style.setProperty('--u', u);
    // Far out, roads are thin.
    svg.style.setProperty('--k', held(1.2 / Math.sqrt(u / perMeter), 0.3, 1));
    const feet = 120 * u / perMeter / 0.3048;
    const steps = [10, 20, 50, 100, 200, 500, 1000, 2000, 2640, 5280, 10560, 26400, 52800, 132000, 264000, 528000];
    const step = steps.findLast((one) => one <= feet) || 10;
    scale.firstChild.textContent = step < 2640 ? step + ' ft' : step / 5280 + ' mi';
    scale.lastChild.style.width = step * 0.3048 * perMeter / u + 'px';
    clearTimeout(waiting);
    waiting = setTimeout(() => tidy(), 60);
  }
  const held = (value, low, high) => Math.min(high, Math.max(low, value));
  function move(dx, dy) {
    x = held(x + dx, whole[0] - width / 2, whole[0] + whole[2] - width / 2);
    y = held(y + dy, whole[1] - height / 2, whole[1] + whole[3] - height / 2);
    show();
  }
  // The place under the fingers stays: in units.
  function zoom(factor, atX = x + width / 2, atY = y + height / 2) {
    const next = held(width * factor, first[2] / 200, whole[2] * 1.2);
    const by = next / width;
    x = atX - (atX - x) * by;
    y = atY - (atY - y) * by;
    width *= by;
    height *= by;
    move(0, 0);
  }
  function all() { [x, y, width, height] = first; show(); }
  function spot(clientX, clientY) {
    const box = svg.getBoundingClientRect();
    const u = unit();
    return [x + width / 2 + (clientX - box.left - box.width / 2) * u, y + height / 2 + (clientY - box.top - box.height / 2) * u];
  }
  function choose(number, goes) {
    for (const one of document.querySelectorAll('.is-chosen')) one.classList.remove('is-chosen');
    if (number === null) return;
    const lot = svg.querySelector('[data-lot="' + number + '"]');
    const card = document.getElementById('p' + number);
    if (!card) return;
    lot?.classList.add('is-chosen');
    card.classList.add('is-chosen');
    card.open = true;
    if (goes === 'card') card.scrollIntoView({ block: 'nearest' });
    if (goes !== 'map' || !lot) return;
    const box = lot.getBBox();
    const label = svg.querySelector('[data-of="' + number + '"]');
    const [cx, cy, size] = box.width + box.height > 0 ? [box.x + box.width / 2, box.y + box.height / 2, Math.max(box.width, box.height)] : [Number(label?.getAttribute('x')), Number(label?.getAttribute('y')), 0];
    width = Math.max(size * 1.6, first[2] / 100);
    height = width;
    x = cx - width / 2;
    y = cy - height / 2;
    show();
    map.scrollIntoView({ block: 'nearest' });
  }
  const fingers = new Map();
  let [moved, pressed] = [0, null];
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (fingers.size === 0) [moved, pressed] = [0, event.target.closest('a')];
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    const u = unit();
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    fingers.set(event.pointerId, now);
    if (!other) return move((before[0] - now[0]) * u, (before[1] - now[1]) * u);
    const [was, is] = [before, now].map((one) => Math.hypot(one[0] - other[0], one[1] - other[1]));
    move((before[0] - now[0]) * u / 2, (before[1] - now[1]) * u / 2);
    if (was > 0 && is > 0) zoom(was / is, ...spot((now[0] + other[0]) / 2, (now[1] + other[1]) / 2));
  });
  for (const end of ['pointerup', 'pointercancel']) svg.addEventListener(end, (event) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0 || moved > 6 || end !== 'pointerup') return;
    if (!pressed) return choose(null);
    if (pressed.dataset.lot) choose(pressed.dataset.lot, 'card');
    else document.querySelector(pressed.getAttribute('href'))?.scrollIntoView({ block: 'nearest' });
  });
  svg.addEventListener('click', (event) => event.preventDefault());
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  svg.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(1.0018 ** event.deltaY, ...spot(event.clientX, event.clientY));
  }, { passive: false });
  svg.addEventListener('dblclick', (event) => zoom(0.5, ...spot(event.clientX, event.clientY)));
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const keys = { '+': () => zoom(0.67), '=': () => zoom(0.67), '-': () => zoom(1.5), '_': () => zoom(1.5), '0': all };
  map.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (step) move(step[0] * width / 8, step[1] * height / 8);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    choose(null);
    said.textContent = '';
  });
  for (const link of document.querySelectorAll('.find a')) link.addEventListener('click', (event) => {
    event.preventDefault();
    choose(link.dataset.find, 'map');
  });
  const here = svg.querySelector('.here');
  function draw({ coords }) {
    const cx = whole[2] / 2 + (coords.longitude - longitude) * perLongitude;
    const cy = whole[3] / 2 - (coords.latitude - latitude) * perLatitude;
    const made = (name, attributes) => {
      const one = document.createElementNS(svg.namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
      return one;
    };
    const d = 'M' + cx + ' ' + cy + 'h0';
    here.replaceChildren(made('circle', { cx, cy, r: coords.accuracy * perMeter }), made('path', { d }), made('path', { d, class: 'dot' }));
    const isOn = cx > whole[0] && cx < whole[0] + whole[2] && cy > whole[1] && cy < whole[1] + whole[3];
    said.textContent = isOn ? 'You are here, within ' + Math.round(coords.accuracy / 0.3048) + ' ft.' : 'You are off this map.';
  }
  let watch = null;
  const tools = {
    in: () => zoom(0.67),
    out: () => zoom(1.5),
    all,
    here: (button) => {
      if (watch !== null) {
        navigator.geolocation.clearWatch(watch);
        watch = null;
        here.replaceChildren();
        said.textContent = '';
      } else if (navigator.geolocation) {
        said.textContent = 'Looking for your place …';
        watch = navigator.geolocation.watchPosition(draw, () => {
          said.textContent = 'This browser does not give a file your place.';
          navigator.geolocation.clearWatch(watch);
          watch = null;
          button.setAttribute('aria-pressed', 'false');
        }, { enableHighAccuracy: true });
      } else said.textContent = 'This browser does not give a file your place.';
      button.setAttribute('aria-pressed', String(watch !== null));
    },
  };
  for (const button of map.querySelectorAll('button')) button.addEventListener('click', () => tools[button.value](button));
  page.classList.add('has-script');
  map.querySelector('.tools').hidden = false;
  scale.hidden = false;
  addEventListener('resize', show);
  let kept = null;
  addEventListener('beforeprint', () => {
    kept = [x, y, width, height];
    all();
    clearTimeout(waiting);
    // Of the map on paper.
    const u = Math.max(width / 700, height / 450);
    svg.style.setProperty('--u', u);
    tidy(u);
  });
  addEventListener('afterprint', () => { if (kept) { [x, y, width, height] = kept; show(); } });
  show();
  tidy();
}
`;
