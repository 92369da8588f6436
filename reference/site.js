// Search, sample language, copy buttons, the menu on phones, and the operation's form.
// Every page can be read without this script.

const { root, search } = document.body.dataset;

/** Creates an element with attributes and children. */
function create(name, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...children);
  return element;
}

/**
 * Stores the value. Without a value, returns the stored text; null if there is none or the browser
 * allows no storage.
 */
function remember(storage, name, value) {
  try {
    if (value === undefined) return globalThis[storage].getItem(name);
    globalThis[storage].setItem(name, value);
  } catch {}
  return null;
}

// Search

const input = document.querySelector('.search input');
const results = document.querySelector('.results');
const maxResults = 12;
let loading;

/** Loads the search entries on first use, and again after a failure. */
function loadEntries() {
  loading ??= fetch(search)
    .then((reply) => reply.json())
    .catch(() => {
      loading = undefined;
      return [];
    });
  return loading;
}

/** Returns how well an entry matches the words; 0 if one of them is missing. */
function score({ title, words }, wanted) {
  const [name, text] = [title.toLowerCase(), words.toLowerCase()];
  return wanted.reduce((sum, word) => {
    if (sum === 0 || !(name.includes(word) || text.includes(word))) return 0;
    return sum + (name.startsWith(word) ? 8 : name.includes(word) ? 4 : 1);
  }, 1);
}

async function showResults() {
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = wanted.length > 0 ? await loadEntries() : [];
  const found = entries
    .map((entry) => ({ entry, points: score(entry, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, maxResults);
  const items = found.map(({ entry: { title, name, words } }) => {
    const href = name === '' || name.startsWith('#') ? `${root}${name}` : toAddress(name);
    return create('li', {}, create('a', { href }, title, create('span', { textContent: words })));
  });
  const none = wanted.length > 0 ? [create('li', { textContent: 'Nothing found.' })] : [];
  results.replaceChildren(...(items.length > 0 ? items : none));
  results.hidden = wanted.length === 0;
}

/** Returns a page's address. The first page is one level above the others. */
const toAddress = (name) => (root === 'docs' ? `docs/${name}` : name);

function moveFocus(step) {
  const links = [...results.querySelectorAll('a')];
  const next = links.indexOf(document.activeElement) + step;
  (links[next] ?? (next < 0 ? input : links.at(-1)))?.focus();
}

input.addEventListener('input', showResults);
input.addEventListener('focus', loadEntries);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') results.querySelector('a')?.click();
});
document.querySelector('.search').addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    moveFocus(event.key === 'ArrowDown' ? 1 : -1);
  }
  if (event.key === 'Escape') {
    results.hidden = true;
    input.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.search') || target.closest('.results a')) results.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  input.focus();
});

// Sample language

function choose(language) {
  for (const radio of document.querySelectorAll('.tabs input'))
    if (radio.value === language) radio.checked = true;
}
document.addEventListener('change', ({ target }) => {
  if (!target.closest('.tabs')) return;
  choose(target.value);
  remember('localStorage', 'language', target.value);
});
choose(remember('localStorage', 'language'));

// Copy buttons

for (const block of document.querySelectorAll('.code')) {
  const button = create('button', { className: 'copy', type: 'button', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.append(button);
}

// Menu

const menu = document.querySelector('.menu');
const index = document.querySelector('.index');
menu.addEventListener('click', () => {
  const isOpen = index.classList.toggle('open');
  menu.setAttribute('aria-expanded', String(isOpen));
});
const current = index.querySelector('[aria-current]');
index.scrollTop = Math.max(0, (current?.offsetTop ?? 0) - index.clientHeight / 2);

// Operation form

const form = document.querySelector('form[data-url]');

/** Returns the address and the `fetch` options of the request that the form describes. */
function readForm() {
  let url = form.dataset.url;
  const query = new URLSearchParams();
  const headers = { Authorization: `Bearer ${form.elements.token.value.trim()}` };
  for (const { name, value, dataset } of form.elements) {
    if (value === '') continue;
    if (dataset.in === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset.in === 'header') headers[name] = value;
    if (dataset.in !== 'query') continue;
    for (const one of name.endsWith('[]') ? value.split(/\s+/) : [value]) query.append(name, one);
  }
  const body = form.elements.body?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return [query.size > 0 ? `${url}?${query}` : url, { method: form.dataset.method, headers, body }];
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const output = form.querySelector('output');
  const pre = create('pre', { tabIndex: 0, textContent: 'Sending…' });
  output.replaceChildren(pre);
  remember('sessionStorage', 'token', form.elements.token.value);
  const [url, init] = readForm();
  const start = performance.now();
  try {
    const reply = await fetch(url, init);
    const text = await reply.text();
    const milliseconds = Math.round(performance.now() - start);
    const shown = text && JSON.stringify(JSON.parse(text), undefined, 2);
    pre.textContent = `${reply.status}  ${milliseconds} ms\n${shown}`;
  } catch (error) {
    pre.textContent = String(error);
  }
});
if (form) form.elements.token.value = remember('sessionStorage', 'token') ?? '';
