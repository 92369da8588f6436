import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { codeBlock, escapeHtml, type Tab, tabs } from './html.ts';
import { isLanguage, languages } from './samples.ts';

/** Returns a repository file's address on the site; `undefined` if the site does not serve it. */
export type ResolveLink = (path: string) => string | undefined;

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

const comments = /<!--[\s\S]*?-->\n*/g;

/**
 * Removes comments and rewrites links for the site. A link to a file that the site does not serve
 * becomes plain text.
 */
export function rewriteLinks(markdown: string, source: string, resolve: ResolveLink): string {
  const withinPage = (target: string) => target.startsWith('#') || /^[a-z]+:/.test(target);
  return markdown
    .replace(comments, '')
    .replace(
      /!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (link, text: string, target: string) => {
        if (withinPage(target)) return link;
        const [path = '', anchor] = target.split('#');
        const found = resolve(posix.join(posix.dirname(source), path));
        if (found === undefined) return text;
        return `[${text}](${found}${anchor === undefined ? '' : `#${anchor}`})`;
      },
    );
}

/** Returns the anchor that GitHub generates for the heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

export const readHeadings = (markdown: string): Heading[] =>
  new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, text }) => ({ level: depth, text: toPlain(text), anchor: toAnchor(text) }));

const toPlain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

/** Renders Markdown. Consecutive samples in different languages become tabs. */
export function renderMarkdown(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = escapeHtml(toAnchor(text));
        const title = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1>${title}</h1>`
          : `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${title}</a></h${depth}>`;
      },
      code: ({ text, lang = '' }) =>
        lang === 'mermaid'
          ? `<details><summary>Diagram as Mermaid text</summary>${codeBlock(text, lang)}</details>`
          : codeBlock(text, lang),
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens }) => toCell(this.parser.parseInline(tokens), tag)).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>`;
      },
    },
  });
  let groups = 0;
  return groupSamples(marked.lexer(markdown))
    .map((part) =>
      Array.isArray(part) ? tabs(`sample-${++groups}`, 'Language', part) : marked.parser([part]),
    )
    .join('');
}

/** Renders a cell. Avoids empty `<th>` elements, which screen readers would announce as headers. */
const toCell = (html: string, tag: 'th' | 'td') =>
  html === '' ? '<td></td>' : `<${tag}>${html}</${tag}>`;

function groupSamples(tokens: readonly Token[]): (Token | Tab[])[] {
  const parts: (Token | Tab[])[] = [];
  for (const token of tokens) {
    const sample = toTab(token);
    const last = parts.at(-1);
    if (token.type === 'space' && Array.isArray(last)) continue;
    if (!sample) parts.push(token);
    else if (Array.isArray(last) && last.every(({ title }) => title !== sample.title))
      last.push(sample);
    else parts.push([sample]);
  }
  return parts.map((part) => (Array.isArray(part) && part.length === 1 ? toCodeToken(part) : part));
}

function toTab(token: Token): Tab | undefined {
  if (token.type !== 'code' || !isLanguage(token.lang)) return undefined;
  return { title: languages[token.lang], language: token.lang, code: String(token.text) };
}

const toCodeToken = ([tab]: Tab[]): Token => ({
  type: 'code',
  raw: '',
  lang: tab?.language ?? '',
  text: tab?.code ?? '',
});
