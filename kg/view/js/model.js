// The graph as arrays: node i and edge e are rows; everything else refers to these numbers.
const DATA = JSON.parse(document.getElementById('data').textContent);
const KINDS = DATA.facts.kinds;
const NODES = DATA.facts.nodes;
const EDGES = DATA.facts.edges;
const count = NODES.length;
const LARGE = count > 2000;

const kindIndex = new Map(KINDS.map((kind, k) => [kind.key, k]));
const kindOf = DATA.nodes.map(node => kindIndex.get(node.group));
const nameOf = DATA.nodes.map(node => String(node.label));
const homeX = Float32Array.from(DATA.nodes, node => node.x);
const homeY = Float32Array.from(DATA.nodes, node => node.y);
const placeX = homeX.slice();
const placeY = homeY.slice();
const sizeOf = Float32Array.from(DATA.nodes, node => node.size);
const from = Int32Array.from(DATA.edges, edge => edge.from);
const to = Int32Array.from(DATA.edges, edge => edge.to);
const byIri = new Map(NODES.map((node, i) => [node.i, i]));

const around = Array.from({length: count}, () => []);  // edges at each node
for (let e = 0; e < from.length; e++) {
  around[from[e]].push(e);
  if (to[e] !== from[e]) around[to[e]].push(e);
}
const far = (e, i) => from[e] === i ? to[e] : from[e];
// The most linked first: the order in which labels get their place.
const byWeight = Array.from({length: count}, (_, i) => i)
  .sort((a, b) => around[b].length - around[a].length || a - b);

const grouping = new Intl.NumberFormat('en');
const number = n => grouping.format(n);
const kindName = i => KINDS[kindOf[i]].one;

/** Lower case without accents, as search compares. */
const fold = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Text cut to a length, never inside a surrogate pair. */
function cut(text, length) {
  const letters = Array.from(text.slice(0, 2 * length + 2));
  return letters.length > length ? letters.slice(0, length - 1).join('').trimEnd() + '…' : text;
}

/** An element with attributes and children; text is always text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.addEventListener('click', value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter(child => child != null && child !== ''));
  return element;
}

/** The small shape of a kind. */
function icon(i) {
  const kind = KINDS[kindOf[i]];
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  for (const [k, v] of [['viewBox', '-10 -10 20 20'], ['width', 14], ['height', 14], ['aria-hidden', 'true']]) svg.setAttribute(k, v);
  path.setAttribute('d', kind.icon);
  path.setAttribute('fill', kind.color);
  svg.append(path);
  return svg;
}
