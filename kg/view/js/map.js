// The map: vis-network draws nodes and edges; a second canvas above it holds labels and what is lit.
const stage = document.querySelector('.stage');
const board = document.getElementById('graph');
const over = document.getElementById('over');
const card = document.getElementById('card');
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const darkness = matchMedia('(prefers-color-scheme: dark)');

const state = {hidden: new Set(), focus: null, node: null, edge: null};
let inFocus = null;  // Uint8Array over nodes while a neighbourhood is in focus
let lit = -1;  // node under the pointer
let dragging = false;
let network = null;
let colors = {};

const isVisible = i => !state.hidden.has(kindOf[i]) && (!inFocus || inFocus[i] === 1);
const edgeVisible = e => isVisible(from[e]) && isVisible(to[e]);

function readColors() {
  const style = getComputedStyle(document.documentElement);
  const get = name => style.getPropertyValue(name).trim();
  colors = {page: get('--page'), ink: get('--ink'), soft: get('--soft'), accent: get('--accent'),
    family: getComputedStyle(document.body).fontFamily};
}

function startMap() {
  readColors();
  const nodes = DATA.nodes.map((node, i) => ({id: i, x: node.x, y: node.y, size: node.size, group: String(kindOf[i])}));
  const edges = DATA.edges.map((edge, e) => ({id: e, ...edge}));
  const groups = Object.fromEntries(KINDS.map((kind, k) => [k, {shape: kind.shape, color: kind.color}]));
  network = new vis.Network(document.getElementById('net'), {nodes, edges}, {...DATA.options, groups});
  document.querySelectorAll('#net [tabindex]').forEach(element => element.setAttribute('tabindex', '-1'));
  network.on('afterDrawing', drawOver);
  network.on('dragStart', () => { dragging = true; });
  network.on('dragEnd', () => { dragging = false; });
  network.on('click', event => pick(event.pointer.DOM));
  board.addEventListener('pointermove', event => event.pointerType === 'touch' || hover(event));
  board.addEventListener('pointerleave', () => light(-1));
  board.addEventListener('keydown', mapKeys);
  darkness.addEventListener('change', () => { readColors(); network.redraw(); });
  network.fit({animation: false});
}

/** Hand each node and edge its visibility; vis-network's own bookkeeping, without rebuilding anything. */
function applyVisibility() {
  const {nodes, edges, emitter} = network.body;
  for (let i = 0; i < count; i++) nodes[i].options.hidden = !isVisible(i);
  for (let e = 0; e < from.length; e++) edges[e].options.hidden = !edgeVisible(e);
  emitter.emit('_dataUpdated');
}

function applyPlaces() {
  for (let i = 0; i < count; i++) {
    const node = network.body.nodes[i];
    node.x = placeX[i];
    node.y = placeY[i];
  }
}

// --- the canvas above ---

// Whatever is chosen stands out from the rest, unless the map shows its neighbourhood only.
const dimmed = () => state.edge !== null || (state.node !== null && state.focus?.root !== state.node);

function drawOver() {
  const ratio = window.devicePixelRatio || 1;
  const width = board.clientWidth, height = board.clientHeight;
  if (over.width !== Math.round(width * ratio) || over.height !== Math.round(height * ratio)) {
    over.width = Math.round(width * ratio);
    over.height = Math.round(height * ratio);
  }
  const ctx = over.getContext('2d');
  const scale = network.getScale(), centre = network.getViewPosition();
  const sx = x => (x - centre.x) * scale + width / 2;
  const sy = y => (y - centre.y) * scale + height / 2;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  if (LARGE && dragging) return drawDots(ctx, scale, sx, sy, width, height);
  const chosen = state.node ?? (lit >= 0 ? lit : null);
  const first = [];
  if (state.edge !== null) first.push(from[state.edge], to[state.edge]);
  if (state.node !== null) first.push(state.node);
  if (lit >= 0) first.push(lit);
  if (chosen !== null || state.edge !== null) {
    if (dimmed()) {
      ctx.globalAlpha = .72;
      ctx.fillStyle = colors.page;
      ctx.fillRect(0, 0, width, height);
      ctx.globalAlpha = 1;
    }
    drawLit(ctx, ratio, scale, sx, sy, [...new Set([chosen, lit >= 0 ? lit : null].filter(i => i !== null && isVisible(i)))], first);
  }
  drawLabels(ctx, scale, sx, sy, width, height, first);
}

/** While a large map is dragged its nodes are plain squares, as vis-network's shapes take too long. */
function drawDots(ctx, scale, sx, sy, width, height) {
  for (const [k, kind] of KINDS.entries()) {
    ctx.fillStyle = kind.color;
    for (let i = 0; i < count; i++) {
      if (kindOf[i] !== k || !isVisible(i)) continue;
      const x = sx(placeX[i]), y = sy(placeY[i]), r = sizeOf[i] * scale;
      if (x > -r && y > -r && x < width + r && y < height + r) ctx.fillRect(x - r, y - r, 2 * r, 2 * r);
    }
  }
  drawLabels(ctx, scale, sx, sy, width, height, []);
}

function drawLit(ctx, ratio, scale, sx, sy, centres, first) {
  const shown = new Set(first.filter(isVisible));
  const lines = state.edge !== null ? [state.edge] : [];
  for (const i of centres) {
    shown.add(i);
    for (const e of around[i]) if (edgeVisible(e)) { lines.push(e); shown.add(far(e, i)); }
  }
  ctx.strokeStyle = colors.accent;
  ctx.globalAlpha = lines.length > 150 ? .35 : .8;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (const e of lines) { ctx.moveTo(sx(placeX[from[e]]), sy(placeY[from[e]])); ctx.lineTo(sx(placeX[to[e]]), sy(placeY[to[e]])); }
  ctx.stroke();
  if (lines.length <= 150) for (const e of lines) if (DATA.edges[e].arrows) drawHead(ctx, e, scale, sx, sy);
  ctx.globalAlpha = 1;
  // vis-network draws its own shapes, here with its own transformation on our canvas
  ctx.save();
  ctx.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * sx(0), ratio * sy(0));
  for (const i of shown) network.body.nodes[i].draw(ctx);
  ctx.restore();
  for (const i of new Set(first)) if (isVisible(i)) {
    ctx.lineWidth = 2.5;
    ctx.beginPath();
    ctx.arc(sx(placeX[i]), sy(placeY[i]), sizeOf[i] * 1.15 * scale + 5, 0, 2 * Math.PI);
    ctx.stroke();
  }
}

/** The arrow head of an edge that is lit, at the border of the node it leads to. */
function drawHead(ctx, e, scale, sx, sy) {
  const x = sx(placeX[to[e]]), y = sy(placeY[to[e]]);
  const angle = Math.atan2(y - sy(placeY[from[e]]), x - sx(placeX[from[e]]));
  const gap = sizeOf[to[e]] * 1.1 * scale + 3, length = 8;
  ctx.fillStyle = colors.accent;
  ctx.beginPath();
  ctx.moveTo(x - gap * Math.cos(angle), y - gap * Math.sin(angle));
  for (const side of [-.38, .38]) ctx.lineTo(x - gap * Math.cos(angle) - length * Math.cos(angle + side), y - gap * Math.sin(angle) - length * Math.sin(angle + side));
  ctx.fill();
}

const widths = new Map();
/** Labels where there is room: the chosen and its neighbours first, then the most linked. */
function drawLabels(ctx, scale, sx, sy, width, height, first) {
  const font = Math.round(12.5 * Math.min(1.6, Math.max(1, width / 1800)));
  ctx.font = `${font}px ${colors.family}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  ctx.lineJoin = 'round';
  ctx.strokeStyle = colors.page;
  const taken = new Map(), cell = 64;
  const near = new Set(first);
  const linked = state.node !== null ? [state.node] : lit >= 0 ? [lit] : [];
  for (const i of linked) for (const e of around[i]) { near.add(far(e, i)); if (near.size > 300) break; }
  const quiet = dimmed();
  let landmarks = 40;  // the most linked have their names even where they are only dots
  let left = Math.max(25, Math.round(width * height / 14000));
  const place = (i, strong) => {
    if (!isVisible(i)) return;
    const radius = sizeOf[i] * scale;
    if (!strong && radius < 2.2 && landmarks-- <= 0) return;
    let x = sx(placeX[i]);
    const y = sy(placeY[i]) + radius * 1.15 + 3;
    if (x < -60 || x > width + 60 || y < -20 || y > height + 10) return;
    const limit = first.includes(i) && width > 600 ? 60 : scale > 1.1 && width > 600 ? 44 : 24;
    const key = `${limit}/${font}/${i}`;
    let entry = widths.get(key);
    if (!entry) {
      const text = cut(nameOf[i].replace(/\s+/g, ' '), limit);
      entry = {text, half: ctx.measureText(text).width / 2 + 4};
      if (widths.size > 5000) widths.clear();
      widths.set(key, entry);
    }
    if (strong && 2 * entry.half < width) x = Math.min(Math.max(x, entry.half), width - entry.half);
    const box = [x - entry.half, y - 2, x + entry.half, y + font + 3];
    const cells = [];
    for (let a = Math.floor(box[0] / cell); a <= Math.floor(box[2] / cell); a++)
      for (let b = Math.floor(box[1] / cell); b <= Math.floor(box[3] / cell); b++) cells.push(a * 4096 + b);
    for (const c of cells) for (const o of taken.get(c) || [])
      if (box[0] < o[2] && box[2] > o[0] && box[1] < o[3] && box[3] > o[1]) return;
    for (const c of cells) taken.has(c) ? taken.get(c).push(box) : taken.set(c, [box]);
    left--;
    ctx.globalAlpha = quiet && !strong ? .35 : 1;
    ctx.lineWidth = 3.5;
    ctx.strokeText(entry.text, x, y);
    ctx.fillStyle = strong || (LARGE && !state.focus) ? colors.ink : colors.soft;
    ctx.fillText(entry.text, x, y);
  };
  for (const i of near) place(i, true);
  if (!quiet) for (const i of byWeight) { if (left <= 0) break; place(i, false); }
  ctx.globalAlpha = 1;
}

// --- pointing ---

/** The node nearest to a point of the screen, or -1; small nodes have a margin around them. */
function nodeAt(point) {
  const {x, y} = network.DOMtoCanvas(point);
  const scale = network.getScale(), margin = 6 / scale;
  let best = -1, least = Infinity;
  for (let i = 0; i < count; i++) {
    const dx = placeX[i] - x, dy = placeY[i] - y, distance = dx * dx + dy * dy;
    const reach = Math.max(sizeOf[i] * 1.1, margin);
    if (distance < least && distance <= reach * reach && isVisible(i)) { best = i; least = distance; }
  }
  return best;
}

/** The edge nearest to a point of the screen, at most five pixels away, or -1. */
function edgeAt(point) {
  const {x, y} = network.DOMtoCanvas(point);
  let best = -1, least = 5 / network.getScale();
  for (let e = 0; e < from.length; e++) {
    const ax = placeX[from[e]], ay = placeY[from[e]], bx = placeX[to[e]] - ax, by = placeY[to[e]] - ay;
    const length = bx * bx + by * by || 1;
    const t = Math.min(1, Math.max(0, ((x - ax) * bx + (y - ay) * by) / length));
    const distance = Math.hypot(x - ax - t * bx, y - ay - t * by);
    if (distance < least && edgeVisible(e)) { best = e; least = distance; }
  }
  return best;
}

function pick(point) {
  const i = nodeAt(point);
  if (i >= 0) return go({node: i});
  const e = edgeAt(point);
  go(e >= 0 ? {edge: e} : {});
}

let pending = null;
function hover(event) {
  if (pending || event.buttons) { if (event.buttons) light(-1); return; }
  const bounds = board.getBoundingClientRect();
  const point = {x: event.clientX - bounds.left, y: event.clientY - bounds.top};
  pending = requestAnimationFrame(() => {
    pending = null;
    const i = nodeAt(point);
    const e = i < 0 ? edgeAt(point) : -1;
    board.classList.toggle('point', i >= 0 || e >= 0);
    light(i);
    if (i >= 0) showCard(nodeCard(i), point);
    else if (e >= 0) showCard(edgeCard(e), point);
    else card.hidden = true;
  });
}

function light(i) {
  if (i < 0) card.hidden = true;
  if (lit === i) return;
  lit = i;
  drawOver();
}

function nodeCard(i) {
  const node = NODES[i];
  const facts = [kindName(i), node.y, node.v, `${number(around[i].length)} ${around[i].length === 1 ? 'link' : 'links'}`];
  return [make('strong', {}, cut(nameOf[i], 160)), make('p', {}, facts.filter(fact => fact != null).join(' · ')),
    node.a ? make('p', {}, 'also: ' + cut(listed(node.a).join(', '), 120)) : null];
}

function edgeCard(e) {
  const sure = EDGES[e].c != null ? ` · confidence ${percent(EDGES[e].c)}` : '';
  return [make('strong', {}, `${cut(nameOf[from[e]], 60)} ${verb(e)} ${cut(nameOf[to[e]], 60)}`),
    make('p', {}, (EDGES[e].e ? 'click to read the evidence' : 'click for details') + sure)];
}

function showCard(content, point) {
  card.replaceChildren(...content.filter(Boolean));
  card.hidden = false;
  const right = point.x + 18 + card.offsetWidth > board.clientWidth;
  const below = point.y + 18 + card.offsetHeight > board.clientHeight;
  const x = Math.max(4, right ? point.x - card.offsetWidth - 12 : point.x + 16);
  const y = Math.max(4, below ? point.y - card.offsetHeight - 12 : point.y + 16);
  card.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}

// --- moving ---

const motion = () => calm.matches || LARGE ? false : {duration: 350, easingFunction: 'easeInOutQuad'};

/** Bring nodes into the part of the map that the details do not cover. */
function frame(list) {
  const panel = document.getElementById('panel');
  const wide = !panel.hidden && stage.clientWidth > 760 ? panel.offsetWidth : 0;
  const low = !panel.hidden && !wide ? panel.offsetHeight : 0;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const i of list) {
    x0 = Math.min(x0, placeX[i] - sizeOf[i]); x1 = Math.max(x1, placeX[i] + sizeOf[i]);
    y0 = Math.min(y0, placeY[i] - sizeOf[i]); y1 = Math.max(y1, placeY[i] + sizeOf[i]);
  }
  if (x0 > x1) return;
  const width = board.clientWidth - wide, height = board.clientHeight - low;
  const margin = Math.min(64, width * .1);
  const scale = Math.min(1.6, Math.max(.01, Math.min((width - 2 * margin) / (x1 - x0 || 1), (height - 2 * Math.min(margin, height * .1)) / (y1 - y0 || 1))));
  network.moveTo({position: {x: (x0 + x1) / 2 + wide / 2 / scale, y: (y0 + y1) / 2 + low / 2 / scale}, scale, animation: motion()});
}

const frameAll = () => frame(byWeight.filter(isVisible));

function zoomBy(factor) {
  network.moveTo({scale: Math.min(6, Math.max(.005, network.getScale() * factor)), animation: false});
}

function mapKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = 80 / network.getScale(), at = network.getViewPosition();
  const moves = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]};
  if (moves[event.key]) network.moveTo({position: {x: at.x + moves[event.key][0], y: at.y + moves[event.key][1]}, animation: false});
  else if (event.key === '+' || event.key === '=') zoomBy(1.3);
  else if (event.key === '-') zoomBy(1 / 1.3);
  else if (event.key === '0') frameAll();
  else return;
  event.preventDefault();
}
