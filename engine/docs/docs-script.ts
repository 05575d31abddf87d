/**
 * The script of `/docs`: search, languages as tabs, copying, Try it. The typed key is a variable of the page: it is stored
 * nowhere and sent to this listener alone.
 */
export const docsScript = (tryBase: string): string => `'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const made = (name, properties) => Object.assign(document.createElement(name), properties);

// Search: each word must occur in an operation or in one of its fields.
const search = document.getElementById('search');
const found = document.getElementById('found');
const sections = all('.operation').map((section) => ({
  section,
  item: document.querySelector('[data-for="' + section.id + '"]'),
  head: [section.id.replaceAll('_', ' '), ...all(':scope > .lead, :scope > .line, :scope > p', section).map((one) => one.textContent), section.id].join(' ').toLowerCase(),
  rows: all('tbody tr', section).map((row) => ({ row, text: row.textContent.toLowerCase() })),
  folds: all(':scope > details', section).map((fold) => ({ fold, wasOpen: fold.open })),
}));
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.includes(word));
  let [operations, fields] = [0, 0];
  for (const { section, item, head, rows, folds } of sections) {
    const inHead = has(head);
    const hits = words.length === 0 ? [] : rows.filter(({ text }) => has(text));
    const isShown = inHead || hits.length > 0;
    section.hidden = item.hidden = !isShown;
    if (isShown) operations += 1;
    fields += hits.length;
    for (const { row } of rows) row.hidden = hits.length > 0 && !hits.some((hit) => hit.row === row);
    for (const { fold, wasOpen } of folds) {
      const open = all('tbody tr', fold).some((row) => !row.hidden);
      fold.hidden = !open;
      fold.open = hits.length > 0 ? open : wasOpen;
    }
  }
  const count = (number, one) => number + ' ' + one + (number === 1 ? '' : 's');
  found.textContent = words.length === 0 ? '' : count(operations, 'operation') + ', ' + count(fields, 'field');
}
search.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && event.target === search) {
    search.value = '';
    filter();
  }
});
const narrow = matchMedia('(max-width: 900px)');
const list = document.querySelector('.list');
list.open = !narrow.matches;
narrow.addEventListener('change', () => { list.open = !narrow.matches; });

// Languages: one choice holds for every example that has it.
let language = 'curl';
const groups = all('.example').map((example, number) => {
  const panels = all('.panel', example);
  const bar = made('div', { className: 'tabs' });
  bar.setAttribute('role', 'tablist');
  bar.setAttribute('aria-label', example.querySelector('h3').textContent);
  const tabs = panels.map((panel, i) => {
    panel.id = 'panel-' + number + '-' + i;
    panel.setAttribute('role', 'tabpanel');
    const tab = made('button', { type: 'button', textContent: panel.dataset.language, id: 'tab-' + number + '-' + i });
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(panel.dataset.language, tab));
    bar.append(tab);
    const copy = made('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    copy.setAttribute('aria-label', 'Copy ' + panel.dataset.language);
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(panel.querySelector('code').textContent);
      copy.textContent = 'Copied';
      setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
    });
    panel.append(copy);
    return tab;
  });
  bar.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = (tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length;
    choose(panels[next].dataset.language, tabs[next]);
  });
  example.querySelector('h3').after(bar);
  return { panels, tabs };
});
function choose(chosen, tab) {
  language = chosen;
  const before = tab?.getBoundingClientRect().top;
  for (const { panels, tabs } of groups) {
    const at = Math.max(0, panels.findIndex((panel) => panel.dataset.language === language));
    panels.forEach((panel, i) => { panel.hidden = i !== at; });
    tabs.forEach((one, i) => {
      one.setAttribute('aria-selected', String(i === at));
      one.tabIndex = i === at ? 0 : -1;
    });
  }
  if (!tab) return;
  // Examples above it have other heights now.
  scrollBy(0, tab.getBoundingClientRect().top - before);
  tab.focus({ preventScroll: true });
}
document.documentElement.classList.add('scripted');
choose(language);

// Try it.
const key = document.getElementById('key');
function requestOf({ method, path, query, body }, input) {
  const pairs = new URLSearchParams();
  const rest = {};
  let target = path;
  for (const [name, value] of Object.entries(input)) {
    if (target.includes('{' + name + '}')) target = target.replace('{' + name + '}', encodeURIComponent(value));
    else if (query.includes(name) || !['POST', 'PATCH'].includes(method)) for (const one of [value].flat()) pairs.append(name, one);
    else rest[name] = value;
  }
  const asked = pairs.size > 0 ? target + '?' + pairs : target;
  return { asked, method, body: ['POST', 'PATCH'].includes(method) ? JSON.stringify(rest) : undefined };
}
async function send(box) {
  const answer = box.querySelector('.answer');
  const say = (words, isWrong) => answer.replaceChildren(made('p', { textContent: words, className: isWrong ? 'wrong' : 'fine' }));
  if (key.value.trim() === '') {
    say('Type your key first, in "Your key, for Try it".', true);
    key.focus();
    return;
  }
  let input;
  try {
    input = JSON.parse(box.querySelector('textarea').value || '{}');
  } catch (error) {
    say('The input is no JSON: ' + error.message, true);
    return;
  }
  const { asked, method, body } = requestOf(JSON.parse(box.dataset.request), input);
  const began = performance.now();
  try {
    const response = await fetch(${JSON.stringify(tryBase)} + asked, {
      method,
      body,
      cache: 'no-store',
      credentials: 'omit',
      headers: { Authorization: 'Bearer ' + key.value.trim(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    });
    const text = await response.text();
    const tokens = response.headers.get('x-tokens-used') ?? '0';
    say(response.status + ', ' + tokens + (tokens === '1' ? ' token, ' : ' tokens, ') + Math.round(performance.now() - began) + ' ms', !response.ok);
    const notice = response.headers.get('x-platbook-notice');
    if (notice) answer.append(made('p', { textContent: notice, className: 'note' }));
    if (text === '') return;
    const pre = made('pre', { tabIndex: 0 });
    pre.setAttribute('aria-label', 'Answer');
    pre.append(made('code', { textContent: JSON.stringify(JSON.parse(text), null, 2).slice(0, 200_000) }));
    answer.append(pre);
  } catch {
    say('Platbook does not answer: is it still running?', true);
  }
}
for (const box of all('.try')) {
  const button = box.querySelector('.press');
  button.addEventListener('click', async () => {
    button.disabled = true;
    await send(box);
    button.disabled = false;
  });
}
`;
