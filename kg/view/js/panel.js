// The details: what is known of one entity, or of the link between two, with the words behind it.
const panel = document.getElementById('panel');
const LIST = 12;

const percent = share => `${Math.round(share * 100)} %`;
const verb = e => DATA.facts.relations[EDGES[e].r][1];
const verbBack = e => DATA.facts.relations[EDGES[e].r][2];
const words = name => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase();

/** A way to what is on this page, a link where the address is a web address, text otherwise. */
function address(text, own = null) {
  const i = byIri.get(text);
  if (i !== undefined && i !== own) return make('button', {type: 'button', class: 'to', onclick: () => go({node: i, move: true, read: true})}, nameOf[i]);
  const web = /^https?:\/\/[^\s]+$/i.test(text);
  return web ? make('a', {href: text, rel: 'noopener noreferrer', target: '_blank'}, text.replace(/^https?:\/\/(www\.)?/i, '')) : text;
}

function factList(pairs) {
  const rows = pairs.filter(([, value]) => value != null && value !== '');
  return rows.length ? make('dl', {}, rows.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])) : null;
}

const extras = facts => Object.entries(facts || {}).map(([name, value]) => [words(name), folded(listed(value), v => address(v), ', ')]);

/** A long list, of which the first few are shown until asked for more. */
function folded(items, show, between = '') {
  const part = list => list.flatMap((item, n) => n && between ? [between, show(item)] : [show(item)]);
  const holder = make('span', {}, part(items.slice(0, LIST)));
  if (items.length > LIST) holder.append(between, moreButton(items.length - LIST, button => button.replaceWith(...part(items.slice(LIST)))));
  return holder;
}

function moreButton(rest, act) {
  const button = make('button', {type: 'button', class: 'more', onclick: () => act(button)}, `${number(rest)} more`);
  return button;
}

/** Text with parts marked: `marks` are [start, end, what to do on a click or null], in UTF-16 units. */
function marked(text, marks) {
  const parts = [];
  let at = 0;
  for (const [start, end, act, hint] of [...marks].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    const piece = text.slice(start, end);
    parts.push(make('mark', {}, act ? make('button', {type: 'button', onclick: act, title: hint}, piece) : piece));
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}

function head(kind, i) {
  return make('header', {}, i === null ? null : icon(i), kind,
    make('button', {type: 'button', 'aria-label': 'Close details', title: 'Close (Esc)', onclick: () => go({})}, '×'));
}

const paperOf = e => KINDS[kindOf[from[e]]].key === 'paper' || KINDS[kindOf[to[e]]].key !== 'paper' ? from[e] : to[e];

function neighbour(i, e, note) {
  const why = e !== null && (EDGES[e].e || EDGES[e].c != null);
  return make('li', {}, make('button', {type: 'button', class: 'go', onclick: () => go({node: i, move: true, read: true})},
    icon(i), make('span', {}, cut(nameOf[i], 200), note ? make('small', {}, ' ' + note) : null)),
    why ? make('button', {type: 'button', class: 'why', 'aria-label': `Why: evidence for the link to ${cut(nameOf[i], 80)}`,
      onclick: () => go({edge: e, read: true})}, 'why') : null);
}

function groupsOf(i) {
  const groups = new Map();
  for (const e of around[i]) {
    const out = from[e] === i;
    const title = out ? verb(e) : verbBack(e);
    if (!groups.has(title)) groups.set(title, []);
    groups.get(title).push(e);
  }
  const order = e => [EDGES[e].p ?? Infinity, -(NODES[far(e, i)].y ?? 0), fold(nameOf[far(e, i)])];
  const rank = edges => DATA.facts.relations[EDGES[edges[0]].r][3];
  return [...groups].sort((a, b) => rank(a[1]) - rank(b[1])).map(([title, edges]) => {
    const keyed = edges.map(e => [order(e), e]);
    keyed.sort(([a], [b]) => { for (let k = 0; k < 3; k++) if (a[k] !== b[k]) return a[k] < b[k] ? -1 : 1; return 0; });
    return [title, keyed.map(pair => pair[1])];
  });
}

function neighbourList(i, edges) {
  const row = e => neighbour(far(e, i), e, NODES[far(e, i)].y ?? '');
  const list = make('ul', {class: 'near'}, edges.slice(0, LIST).map(row));
  if (edges.length > LIST) {
    const item = make('li', {});
    item.append(moreButton(edges.length - LIST, () => item.replaceWith(...edges.slice(LIST).map(row))));
    list.append(item);
  }
  return list;
}

function showNode(i) {
  const node = NODES[i];
  const marksIn = field => around[i].filter(e => paperOf(e) === i).flatMap(e => (EDGES[e].e || []).filter(m => m[0] === field)
    .map(m => [m[1], m[2], () => go({edge: e, read: true}), `${verb(e)} ${cut(nameOf[far(e, i)], 80)}`]));
  const actions = make('div', {class: 'actions'},
    make('button', {type: 'button', onclick: () => go({node: i, focus: 1})}, 'Focus: 1 hop'),
    make('button', {type: 'button', onclick: () => go({node: i, focus: 2})}, '2 hops'),
    make('button', {type: 'button', onclick: () => frame([i, ...around[i].map(e => far(e, i)).filter(isVisible)])}, 'Find on map'));
  panel.replaceChildren(...[
    head(kindName(i), i),
    make('h2', {}, node.s ? nameOf[i] : marked(nameOf[i], marksIn('t'))),
    node.s ? make('p', {class: 'aka'}, 'In the source: ', marked(String(node.s), marksIn('t'))) : null,
    node.a ? make('p', {class: 'aka'}, 'Also: ', folded(listed(node.a), v => v, ', ')) : null,
    actions,
    factList([['Year', node.y], ['Venue', node.v], ['Authors', node.w && folded(listed(node.w), v => v, ', ')],
      ['Address', node.u && address(String(node.u), i)], ...extras(node.f), ['Identifier', address(node.i, i)]]),
    node.t ? make('h3', {}, 'Abstract') : null,
    node.t ? make('p', {class: 'text'}, marked(node.t, marksIn('a'))) : null,
    ...groupsOf(i).flatMap(([title, edges]) => [make('h3', {}, title[0].toUpperCase() + title.slice(1) + ' ', make('b', {}, number(edges.length))), neighbourList(i, edges)]),
    around[i].length ? null : make('p', {class: 'aka'}, 'Nothing on this page is linked to it.'),
  ].filter(Boolean));
  panel.setAttribute('aria-label', `Details of ${cut(nameOf[i], 120)}`);
}

/** The sentences behind an edge, each once, with every marked place in it. */
function quotes(e) {
  const paper = paperOf(e);
  const texts = {t: NODES[paper].s ?? nameOf[paper], a: NODES[paper].t || ''};
  const sentences = new Map();
  for (const row of EDGES[e].e || []) {
    if (row[0] === 'x') { sentences.set(`x${row[1]}`, {text: row[1], marks: [], where: 'quoted'}); continue; }
    const [field, start, end, first, last] = row;
    const key = field + first + '/' + last;
    if (!sentences.has(key)) sentences.set(key, {text: texts[field].slice(first, last), marks: [], where: field === 't' ? 'title' : 'abstract'});
    sentences.get(key).marks.push([start - first, end - first, null]);
  }
  return [...sentences.values()].map(s => make('blockquote', {}, marked(s.text, s.where === 'quoted' ? [[0, s.text.length, null]] : s.marks),
    make('footer', {}, s.where === 'quoted' ? 'The words as recorded; the text around them is not on this page.' : `From the ${s.where}`)));
}

function linkCard(e) {
  const edge = EDGES[e];
  const meter = edge.c == null ? null : make('span', {class: 'sure'},
    make('meter', {min: 0, max: 1, value: edge.c, 'aria-label': 'Confidence'}), percent(edge.c));
  const found = quotes(e);
  const term = DATA.facts.relations[edge.r][4];
  return make('section', {class: 'link', 'data-edge': e},
    make('ul', {class: 'near'}, neighbour(from[e], null)), make('p', {class: 'verb'}, verb(e)), make('ul', {class: 'near'}, neighbour(to[e], null)),
    factList([['Confidence', meter], ['Recognised by', edge.q == null ? null : DATA.facts.cues[edge.q]],
      ['Position', edge.p == null ? null : String(edge.p)], ['Term', term && address(term)], ...extras(edge.f)]),
    found.length ? [make('h3', {}, found.length === 1 ? 'The sentence behind it' : 'The sentences behind it'), found]
      : make('p', {class: 'aka'}, 'Stated by the source record itself; there is no sentence to quote.'));
}

function showEdge(e) {
  const same = around[from[e]].filter(o => o !== e && (far(o, from[e]) === far(e, from[e])));
  panel.replaceChildren(head('link', null), make('h2', {}, 'How these two are linked'),
    linkCard(e), ...(same.length ? [make('h3', {}, 'Also between these two'), ...same.map(linkCard)] : []));
  panel.setAttribute('aria-label', 'Details of a link');
}
