import { type Heading, readHeadings, renderMarkdown, rewriteLinks } from './markdown.ts';

export interface Guide {
  /** Address below `/docs/`. */
  name: string;
  title: string;
  /** The text, with links to the site's Markdown pages. */
  markdown: string;
  html: string;
  headings: readonly Heading[];
}

export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

type Read = (path: string) => string;

/** The index of docs/. Its table lists the guides by type of reader. */
const index = 'docs/README.md';
const rowPattern = /^\| (?<reader>[a-z ]+) \| (?<links>\[.+) \|$/gm;

/** Guides outside docs/, by path. The site lists these guides in the first group. */
const others: Record<string, string> = { 'client/README.md': 'client' };
/** Titles that are clearer in the index than the page's heading, by page name. */
const titles: Record<string, string> = {
  client: 'TypeScript client',
  'quick-start': 'Quick start',
};
/** Pages that the site lists under Start, not among the guides. */
const own: Record<string, string> = {
  'reference/conventions.md': 'conventions',
  'docs/errors.md': 'errors',
};

function listGuides(read: Read): { title: string; paths: Record<string, string> }[] {
  return [...read(index).matchAll(rowPattern)].map(({ groups = {} }, n) => {
    const names = [...(groups.links ?? '').matchAll(/\(([\w-]+)\.md\)/g)].map(
      ([, name = '']) => name,
    );
    const paths = Object.fromEntries(
      names.map((name) => [`docs/${name}.md`, name]).filter(([path = '']) => !(path in own)),
    );
    const reader = groups.reader ?? '';
    return { title: `Guides for ${reader}`, paths: n === 0 ? { ...others, ...paths } : paths };
  });
}

/**
 * Reads the guides, and rewrites their links for the site. `fill` replaces a page's placeholders.
 */
export function readGuides(
  read: Read,
  fill: (markdown: string) => string,
): { groups: GuideGroup[]; own: Guide[]; quickStart: Guide } {
  const groups = listGuides(read);
  const names: Record<string, string> = {
    ...own,
    ...Object.assign({}, ...groups.map(({ paths }) => paths)),
    'openapi.json': 'openapi.json',
  };
  const toGuide = ([path, name]: [string, string]): Guide => {
    const source = fill(read(path));
    const markdown = rewriteLinks(source, path, (target) => names[target]);
    const headings = readHeadings(markdown);
    return {
      name,
      title: titles[name] ?? headings[0]?.text ?? name,
      headings,
      html: renderMarkdown(markdown),
      // Assistants that follow the links keep reading Markdown.
      markdown: rewriteLinks(source, path, (target) => {
        const found = names[target];
        return found === undefined || found.includes('.') ? found : `${found}.md`;
      }),
    };
  };
  return {
    groups: groups.map(({ title, paths }) => ({
      title,
      guides: Object.entries(paths).map(toGuide),
    })),
    own: Object.entries(own).map(toGuide),
    quickStart: toGuide(['reference/quick-start.md', 'quick-start']),
  };
}
