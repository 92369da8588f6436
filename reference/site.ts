import { ErrorCode, errorCatalog } from '../shared/contract/errors.ts';
import { sharedErrors } from '../shared/contract/operation.ts';
import { readGuides } from './guides.ts';
import { escapeHtml } from './html.ts';
import { type Page, renderPage, type Site, toRelative } from './layout.ts';
import {
  groupOperations,
  type OpenApiDocument,
  type ReferenceOperation,
  readOperations,
} from './openapi.ts';
import { toOperationMarkdown } from './operation-markdown.ts';
import { renderOperation } from './operation-page.ts';

/** A file of the site, with the API's address from openapi.json. */
export interface SiteFile {
  /** Address below `/docs/`; empty for the first page. */
  name: string;
  text: string;
  /** Whether each stage inserts its own API address. Guides show the local cloud's address. */
  isAddressed: boolean;
}

type Read = (path: string) => string;

/**
 * Builds the files of the site, except the assets. `toAsset` receives the name and content of each
 * asset, and returns the name under which it is served.
 */
export function buildSite(
  read: Read,
  toAsset: (name: string, text: string) => string,
): { files: SiteFile[]; baseUrl: string } {
  const document: OpenApiDocument = JSON.parse(read('openapi.json'));
  const operations = readOperations(document);
  const guides = readGuides(read, (text) =>
    fillTables(text, read('reference/essentials.md').trim(), document),
  );
  const all = [...guides.own, ...guides.groups.flatMap((group) => group.guides)];
  const assets = new Map<string, string>(
    [
      ['site.css', read('reference/site.css')] as const,
      ['site.js', read('reference/site.js')] as const,
      ['search.json', toSearchIndex(operations, [guides.quickStart, ...all])] as const,
    ].map(([name, text]) => [name, toAsset(name, text)]),
  );
  const baseUrl = document.servers[0].url;
  const site: Site = {
    title: document.info.title,
    version: document.info.version,
    baseUrl,
    navigation: toNavigation(operations, guides),
    toAsset: (name) => assets.get(name) ?? '',
  };
  const page = (one: Page): SiteFile => ({
    name: one.name,
    text: renderPage(one, site),
    isAddressed: !isPlainGuide(one.name),
  });
  const isPlainGuide = (name: string) =>
    guides.groups.some((group) => group.guides.some((guide) => guide.name === name));
  const files = [
    page(toFirstPage(guides.quickStart.html, operations, site)),
    ...operations.map((operation) => page(toOperationPage(operation, baseUrl))),
    ...all.map((guide) => page(toGuidePage(guide, site))),
    ...operations.map((operation) => ({
      name: `${operation.id}.md`,
      text: toOperationMarkdown(operation, baseUrl),
      isAddressed: true,
    })),
    ...[guides.quickStart, ...all].map(({ name, markdown }) => ({
      name: `${name}.md`,
      text: markdown,
      isAddressed: !isPlainGuide(name),
    })),
    { name: 'llms.txt', text: toLlmsText(read, operations, all, site), isAddressed: true },
    { name: 'openapi.json', text: JSON.stringify(document), isAddressed: true },
  ];
  return { files, baseUrl };
}

const toOperationPage = (operation: ReferenceOperation, baseUrl: string): Page => ({
  name: operation.id,
  title: operation.row.summary,
  description: operation.row.description,
  html: renderOperation(operation, baseUrl),
});

type Guide = ReturnType<typeof readGuides>['own'][number];

const toGuidePage = ({ name, title, html }: Guide, site: Site): Page => ({
  name,
  title,
  description: `${title}: documentation of the ${site.title.toLowerCase()}.`,
  html: `<article>${html}</article>`,
});

function toNavigation(
  operations: readonly ReferenceOperation[],
  guides: ReturnType<typeof readGuides>,
): Site['navigation'] {
  return [
    { title: 'Start', links: [{ name: '', title: 'Quick start' }, ...guides.own] },
    ...groupOperations(operations).map((group) => ({
      title: group.title,
      links: group.operations.map(({ id, row }) => ({
        name: id,
        title: row.summary,
        method: row.method,
      })),
    })),
    ...guides.groups.map(({ title, guides: links }, n) => ({ title, links, isClosed: n > 0 })),
  ];
}

function toFirstPage(
  quickStart: string,
  operations: readonly ReferenceOperation[],
  site: Site,
): Page {
  const rows = groupOperations(operations).map(
    (group) =>
      `<h3>${group.title}</h3><ul class="operations">${group.operations
        .map(
          ({ id, row }) =>
            `<li><a href="${toRelative('', id)}"><span class="method ${row.method.toLowerCase()}">${row.method}</span> <code>${row.path}</code> <span>${escapeHtml(row.summary)}</span></a></li>`,
        )
        .join('')}</ul>`,
  );
  return {
    name: '',
    title: 'Quick start',
    description: 'Messages, conversations and business listings as an HTTP API with push.',
    // The quick start's links are relative to /docs/.
    html: `<article>${quickStart.replace(/href="(?![a-z]+:|#)/g, 'href="docs/')}
<h2 id="operations">All operations</h2>
<p>The API is at <code>${site.baseUrl}</code>.</p>
${rows.join('\n')}</article>`,
  };
}

/**
 * Replaces the placeholders in conventions.md with the text of essentials.md and the contract's
 * tables. Throws if a placeholder is unknown.
 */
function fillTables(markdown: string, essentials: string, { components }: OpenApiDocument): string {
  const headers = (named: Record<string, { description: string }>) =>
    ['| header | meaning |', '|---|---|']
      .concat(
        Object.entries(named).map(([name, { description }]) => `| \`${name}\` | ${description} |`),
      )
      .join('\n');
  const errors = sharedErrors.map(
    (code) =>
      `| ${errorCatalog[code].status} | [\`${code}\`](../docs/errors.md#${code}) | ${errorCatalog[code].meaning} |`,
  );
  const tables: Record<string, string> = {
    essentials,
    'request headers': headers(components.parameters),
    'reply headers': headers(components.headers),
    'common errors': ['| status | code | meaning |', '|---|---|---|', ...errors].join('\n'),
  };
  return markdown.replace(/^\{\{(.+)\}\}$/gm, (_, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`Unknown placeholder: ${name}.`);
    return table;
  });
}

function toSearchIndex(
  operations: readonly ReferenceOperation[],
  guides: readonly Guide[],
): string {
  const entries = [
    ...operations.map(({ id, row, parameters, body }) => ({
      title: row.summary,
      name: id,
      words: [id, row.method, row.path, row.description]
        .concat([...parameters, ...(body?.fields ?? [])].map(({ name }) => name))
        .join(' '),
    })),
    ...guides.flatMap(({ name, title, headings }) =>
      headings.map(({ level, text, anchor }) => ({
        title: level === 1 ? title : text,
        name: (name === 'quick-start' ? '' : name) + (level === 1 ? '' : `#${anchor}`),
        words: level === 1 ? '' : title,
      })),
    ),
    ...ErrorCode.options.map((code) => ({
      title: code,
      name: `errors#${code}`,
      words: errorCatalog[code].meaning,
    })),
  ];
  const unique = new Map(entries.map((entry) => [entry.name, entry]));
  return JSON.stringify([...unique.values()]);
}

/** Returns the index for assistants (llmstxt.org): the rules of the API, then all pages. */
function toLlmsText(
  read: Read,
  operations: readonly ReferenceOperation[],
  guides: readonly Guide[],
  { title, baseUrl }: Site,
): string {
  const link = (name: string, text: string, description = '') =>
    `- [${text}](${baseUrl}/docs/${name}.md)${description && `: ${description}`}`;
  return `# ${title}

> Messages, conversations and business listings as an HTTP API with push. The API is at ${baseUrl}.

${read('reference/essentials.md').trim()}

## Start

${[link('quick-start', 'Quick start', 'get a token, send a first message and receive a first push'), ...guides.slice(0, 2).map(({ name, title: text }) => link(name, text))].join('\n')}

## Operations

${groupOperations(operations)
  .flatMap((group) => group.operations)
  .map(({ id, row }) => link(id, `${row.method} ${row.path}`, `${row.summary}. ${row.description}`))
  .join('\n')}

## Guides

${guides
  .slice(2)
  .map(({ name, title: text }) => link(name, text))
  .join('\n')}
- [OpenAPI 3.1](${baseUrl}/docs/openapi.json)
`;
}
