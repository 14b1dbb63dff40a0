// What is chosen, in focus and hidden; the address bar remembers the first two.
const live = document.getElementById('live');
const chip = document.getElementById('focus');
const HUB = 500;  // a neighbourhood does not go on through an entity with more links than this

const say = text => { live.textContent = text; };

/** Show an entity (`node`), a link (`edge`) or nothing; with `focus` hops around the entity only. */
function go({node = null, edge = null, focus, move = false, read = false}) {
  state.node = node;
  state.edge = edge;
  if (focus !== undefined) setFocus(focus ? {root: node, hops: focus} : null);
  reveal(node !== null ? [node] : edge !== null ? [from[edge], to[edge]] : []);
  panel.hidden = node === null && edge === null;
  stage.classList.toggle('beside', !panel.hidden);
  if (node !== null) { showNode(node); say(`${kindName(node)} ${nameOf[node]}, ${number(around[node].length)} links`); }
  else if (edge !== null) { showEdge(edge); say(`${nameOf[from[edge]]} ${verb(edge)} ${nameOf[to[edge]]}`); }
  if (!panel.hidden) panel.scrollTop = 0;
  if (focus !== undefined) frameAll();
  else if (move && node !== null) frame([node, ...around[node].slice(0, 400).map(e => far(e, node)).filter(isVisible)]);
  else if (read && edge !== null) frame([from[edge], to[edge]]);
  if (read && !panel.hidden) panel.focus({preventScroll: true});
  lit = -1;
  drawOver();
  remember();
}

/** What is chosen is always to be seen: its kind is switched on, a focus that excludes it ends. */
function reveal(list) {
  if (list.every(isVisible)) return;
  for (const i of list) {
    if (state.hidden.has(kindOf[i])) toggle(kindOf[i], true);
    if (inFocus && !inFocus[i]) setFocus(null);
  }
}

function toggle(kind, shown) {
  shown ? state.hidden.delete(kind) : state.hidden.add(kind);
  document.querySelector(`#legend [data-kind="${kind}"]`).setAttribute('aria-pressed', String(shown));
  applyVisibility();
  say(`${KINDS[kind].many} ${shown ? 'shown' : 'hidden'}`);
}

/** Only what lies within some hops of an entity, drawn in rings around it; null shows everything. */
function setFocus(focus) {
  state.focus = focus;
  placeX.set(homeX);
  placeY.set(homeY);
  inFocus = null;
  if (focus) {
    const depth = new Map([[focus.root, 0]]), parent = new Map(), rings = [[focus.root]];
    for (let d = 1; d <= focus.hops; d++) {
      rings.push([]);
      for (const i of rings[d - 1]) {
        if (d > 1 && around[i].length > HUB) continue;
        for (const e of around[i]) {
          const j = far(e, i);
          if (depth.has(j) || state.hidden.has(kindOf[j])) continue;
          depth.set(j, d);
          parent.set(j, i);
          rings[d].push(j);
        }
      }
    }
    inFocus = new Uint8Array(count);
    for (const i of depth.keys()) inFocus[i] = 1;
    if (depth.size <= 1500) placeInRings(rings, parent);
    chip.firstElementChild.textContent = `${number(depth.size)} within ${focus.hops === 1 ? '1 hop' : focus.hops + ' hops'} of ${cut(nameOf[focus.root], 60)}`;
  }
  chip.hidden = !focus;
  applyPlaces();
  applyVisibility();
}

/** Rings around the root: each node gets an angle as wide as what hangs on it (a radial tree). */
function placeInRings(rings, parent) {
  const leaves = new Map(), children = new Map();
  for (let d = rings.length - 1; d >= 0; d--) for (const i of rings[d]) {
    leaves.set(i, Math.max(1, leaves.get(i) || 0));
    if (!parent.has(i)) continue;
    const above = parent.get(i);
    leaves.set(above, (leaves.get(above) || 0) + leaves.get(i));
    if (!children.has(above)) children.set(above, []);
    children.get(above).push(i);
  }
  const root = rings[0][0], last = rings.length - 1, needed = nodes => nodes * 46 / (2 * Math.PI);
  const outer = Math.max(190 * last, needed(Math.max(leaves.get(root), rings[last].length)));
  const radius = rings.map((ring, d) => d === 0 ? 0 : Math.max(outer * d / last, needed(ring.length)));
  const place = (i, low, high, d) => {
    const angle = (low + high) / 2;
    const far_ = radius[d] + (d === 1 && rings[1].length > 8 ? (rings[1].indexOf(i) % 2) * 60 : 0);
    placeX[i] = homeX[root] + 1.25 * far_ * Math.cos(angle);
    placeY[i] = homeY[root] + far_ * Math.sin(angle);
    let at = low;
    const below = (children.get(i) || []).sort((a, b) => kindOf[a] - kindOf[b] || a - b);
    const total = below.reduce((sum, j) => sum + leaves.get(j), 0) || 1;
    for (const j of below) { const next = at + (high - low) * leaves.get(j) / total; place(j, at, next, d + 1); at = next; }
  };
  place(root, -Math.PI / 2, 1.5 * Math.PI, 0);
}

function reset() {
  for (const kind of [...state.hidden]) toggle(kind, true);
  go({focus: 0});
}

// --- the address bar ---

function hashOf() {
  if (state.edge !== null) return `#link=${state.edge}`;
  if (state.node === null) return '';
  const hops = state.focus?.root === state.node ? `&hops=${state.focus.hops}` : '';
  try {
    return `#entity=${encodeURIComponent(NODES[state.node].i)}${hops}`;
  } catch {
    return `#node=${state.node}${hops}`;  // an IRI with half a character has no percent-encoded form
  }
}

function remember() {
  const hash = hashOf();
  if (hash === location.hash) return;
  if (hash) location.hash = hash;
  else history.replaceState(null, '', location.pathname + location.search);
}

function recall() {
  if (hashOf() === location.hash) return;
  const asked = new URLSearchParams(location.hash.slice(1));
  const row = (name, limit) => { const n = Number(asked.get(name) ?? NaN); return Number.isInteger(n) && n >= 0 && n < limit ? n : null; };
  const node = byIri.get(asked.get('entity')) ?? row('node', count);
  const edge = row('link', from.length);
  const hops = Math.min(2, Math.max(0, Number(asked.get('hops')) || 0));
  if (edge !== null) go({edge, read: true});
  else if (node !== null) go({node, move: true, focus: hops || undefined});
  else go({});
}

// --- start ---

function start() {
  startMap();
  startSearch();
  document.querySelectorAll('#legend button').forEach(button => button.addEventListener('click', () => {
    const kind = Number(button.dataset.kind);
    toggle(kind, state.hidden.has(kind));
    drawOver();
  }));
  document.querySelectorAll('#zoom button').forEach(button => button.addEventListener('click', () => (
    {in: () => zoomBy(1.4), out: () => zoomBy(1 / 1.4), all: frameAll})[button.dataset.zoom]()));
  chip.querySelector('button').addEventListener('click', () => { setFocus(null); go({node: state.node, edge: state.edge, move: true}); });
  document.addEventListener('keydown', event => {
    const typing = event.target.matches?.('input, textarea, select');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); box.focus(); }
    else if (event.key === 'Escape' && !typing) {
      if (!panel.hidden) { go({}); board.focus({preventScroll: true}); }
      else if (state.focus) { setFocus(null); go({}); frameAll(); }
    }
  });
  window.addEventListener('hashchange', recall);
  network.once('afterDrawing', () => {
    document.body.classList.add('ready');
    performance.mark('ready');
    window.paperkg.ready = true;
  });
  frameAll();
  recall();
}

// What tests and other scripts of the reader may use.
window.paperkg = {
  ready: false,
  nodes: count,
  edges: from.length,
  visible: () => network.body.nodeIndices.length,
  visibleEdges: () => network.body.edgeIndices.length,
  search: text => search(text).map(hit => NODES[hit.i].i),
  select: iri => go({node: byIri.get(iri), move: true}),
  selectEdge: e => go({edge: e, read: true}),
  focus: (iri, hops) => go({node: byIri.get(iri), focus: hops}),
  reset,
  screen: iri => network.canvasToDOM({x: placeX[byIri.get(iri)], y: placeY[byIri.get(iri)]}),
  edge: e => ({from: NODES[from[e]].i, to: NODES[to[e]].i, relation: DATA.facts.relations[EDGES[e].r][0]}),
  chosen: () => ({node: state.node === null ? null : NODES[state.node].i, edge: state.edge}),
};
// The first paint comes before the heavy work, so that a large page says what it is doing.
requestAnimationFrame(() => setTimeout(start));
