// The search box: names and aliases, every word of the query somewhere in one of them.
const box = document.getElementById('search');
const found = document.getElementById('found');
let index = null;
let hits = [];
let active = -1;

const listed = value => Array.isArray(value) ? value.map(String) : value == null ? [] : [String(value)];

/** How well a folded name answers the query: 0 not at all, 5 the very name. */
function rank(name, query, words) {
  if (name === query) return 5;
  if (name.startsWith(query)) return 4;
  if (!words.every(word => name.includes(word))) return 0;
  const starts = words.every(word => name.startsWith(word) || new RegExp('[^\\p{L}\\p{N}]' + word.replace(/[^\p{L}\p{N}]/gu, '\\$&'), 'u').test(name));
  return starts ? 3 : 1;
}

/** Nodes that answer a query, best first. */
function search(text, limit = 30) {
  index ??= DATA.nodes.map((_, i) => [nameOf[i], ...listed(NODES[i].a)].map(fold));
  const query = fold(text).trim().replace(/\s+/g, ' ');
  if (!query) return byWeight.slice(0, 8).map(i => ({i, alias: null}));
  const words = query.split(' ');
  const results = [];
  for (let i = 0; i < count; i++) {
    let best = 0, which = 0;
    index[i].forEach((name, n) => { const r = rank(name, query, words) - (n ? .5 : 0); if (r > best) { best = r; which = n; } });
    if (best > 0) results.push({i, best, alias: which ? listed(NODES[i].a)[which - 1] : null});
  }
  results.sort((a, b) => b.best - a.best || around[b.i].length - around[a.i].length || nameOf[a.i].length - nameOf[b.i].length || a.i - b.i);
  return results.slice(0, limit);
}

function showFound() {
  hits = search(box.value);
  active = box.value.trim() && hits.length ? 0 : -1;
  const rows = hits.map((hit, n) => make('li', {id: `found-${n}`, role: 'option', 'aria-selected': String(n === active),
    onclick: () => choose(n)},
    icon(hit.i), make('span', {}, cut(nameOf[hit.i], 140), hit.alias ? make('small', {class: 'alias'}, `also ${cut(hit.alias, 80)}`) : null),
    make('small', {}, [kindName(hit.i), NODES[hit.i].y].filter(Boolean).join(' · '))));
  if (!rows.length) rows.push(make('li', {class: 'none', role: 'option', 'aria-disabled': 'true'}, 'No name or alias on this page holds these words.'));
  found.replaceChildren(...rows);
  open(true);
}

function open(shown) {
  found.hidden = !shown;
  box.setAttribute('aria-expanded', String(shown));
  mark(shown ? active : -1);
}

function mark(n) {
  active = n;
  [...found.children].forEach((row, r) => { if (row.role === 'option' && hits.length) row.setAttribute('aria-selected', String(r === n)); });
  if (n >= 0) {
    box.setAttribute('aria-activedescendant', `found-${n}`);
    found.children[n].scrollIntoView({block: 'nearest'});
  } else box.removeAttribute('aria-activedescendant');
}

function choose(n) {
  const hit = hits[n];
  if (!hit) return;
  open(false);
  box.value = '';
  box.blur();
  go({node: hit.i, move: true, read: true});
}

function startSearch() {
  box.addEventListener('input', showFound);
  box.addEventListener('focus', showFound);
  box.addEventListener('blur', () => setTimeout(() => document.activeElement === box || open(false), 150));
  found.addEventListener('mousedown', event => event.preventDefault());
  box.addEventListener('keydown', event => {
    if (event.isComposing) return;
    const steps = {ArrowDown: 1, ArrowUp: -1};
    if (event.key in steps && hits.length) {
      if (found.hidden) showFound();
      else mark((active + steps[event.key] + hits.length + (active < 0 && steps[event.key] < 0 ? 1 : 0)) % hits.length);
    } else if (event.key === 'Enter') choose(active < 0 ? 0 : active);
    else if (event.key === 'Escape') {
      if (box.value) { box.value = ''; showFound(); } else { open(false); board.focus(); }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
