import { escapeHtml } from './html.ts';

export interface NavigationGroup {
  title: string;
  links: readonly { name: string; title: string; method?: string }[];
  /** Whether to collapse the group if it does not contain the current page. */
  isClosed?: boolean;
}

export interface Page {
  /** Address below `/docs/`; empty for the first page. */
  name: string;
  title: string;
  description: string;
  html: string;
}

export interface Site {
  title: string;
  version: string;
  baseUrl: string;
  navigation: readonly NavigationGroup[];
  /** Returns the address of an asset below `assets/`. */
  toAsset(name: string): string;
}

/** Returns the address of a page relative to another page. */
export const toRelative = (from: string, to: string): string => {
  if (from === '') return to === '' ? 'docs' : `docs/${to}`;
  return to === '' ? '../docs' : to;
};

export function renderPage(page: Page, site: Site): string {
  const href = (name: string) => toRelative(page.name, name);
  const asset = (name: string) => href(`assets/${site.toAsset(name)}`);
  const title = page.name === '' ? site.title : `${page.title} · ${site.title}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('site.js')}" defer></script>
</head>
<body data-root="${href('')}" data-search="${asset('search.json')}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${href('')}">${site.title}<span>${site.version}</span></a>
<div class="search" role="search"><input type="search" aria-label="Search the documentation" placeholder="Search  /" autocomplete="off"><ul class="results" hidden></ul></div>
<nav class="files" aria-label="Files"><a href="${href('openapi.json')}">OpenAPI</a><a href="${href('llms.txt')}">llms.txt</a></nav>
<button class="menu" type="button" aria-expanded="false" aria-controls="index">Menu</button>
</header>
<nav class="index" id="index" aria-label="Documentation">
${site.navigation.map((group) => renderGroup(group, page.name)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${page.html}
</main>
</body>
</html>
`;
}

function renderGroup({ title, links, isClosed }: NavigationGroup, current: string): string {
  const items = links.map(({ name, title, method }) => {
    const isCurrent = name === current ? ' aria-current="page"' : '';
    const badge = method ? `<span class="method ${method.toLowerCase()}">${method}</span>` : '';
    return `<li><a href="${toRelative(current, name)}"${isCurrent}><span>${escapeHtml(title)}</span>${badge}</a></li>`;
  });
  const list = `<ul>${items.join('')}</ul>`;
  if (!isClosed) return `<h2>${title}</h2>${list}`;
  const isOpen = links.some(({ name }) => name === current);
  return `<details${isOpen ? ' open' : ''}><summary>${title}</summary>${list}</details>`;
}
