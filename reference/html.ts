const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

export const toInlineHtml = (text: string): string =>
  escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const keywords =
  'import|from|const|let|var|await|async|return|if|else|for|in|of|with|as|def|class|while|try|new|val|fun|object|override|function|true|false|null|None|True|False|curl';
const strings = String.raw`"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])*'|${'`'}(?:\\.|[^${'`'}\\])*${'`'}`;
const rest = String.raw`(?<number>(?<![\w./:-])\d[\d_]*(?:\.\d+)?\b(?!\.\d))|(?<keyword>(?<![\w=-])(?:${keywords})\b)`;
/** Languages in which `#` begins a comment, and `//` may be part of a URL. */
const hashComments = ['sh', 'python', 'yaml'];

/** Returns code as HTML, with classes for comments, strings, field names, numbers and keywords. */
export function highlight(code: string, language: string): string {
  const comment = hashComments.includes(language)
    ? String.raw`(?<=^|\s)#.*`
    : String.raw`(?<=^|\s)//.*`;
  const pattern = new RegExp(`(?<comment>${comment})|(?<string>${strings})|${rest}`, 'gm');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [text] = match;
    const [kind] = Object.entries(match.groups ?? {}).find(([, one]) => one !== undefined) ?? [];
    const isName = language === 'json' && code[match.index + text.length] === ':';
    const shown = `<i class="${isName ? 'name' : kind}">${escapeHtml(text)}</i>`;
    html += escapeHtml(code.slice(end, match.index)) + shown;
    end = match.index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}

/** Returns a code block that users can focus, and therefore scroll by keyboard. */
export const codeBlock = (code: string, language: string): string =>
  `<div class="code"><pre tabindex="0" data-language="${language}"><code>${highlight(code, language)}</code></pre></div>`;

/** Returns code blocks with radio buttons, so that no script is needed to switch between them. */
export function tabs(name: string, label: string, blocks: readonly Tab[]): string {
  const buttons = blocks.map(
    ({ title, language }, n) =>
      `<input type="radio" name="${name}" id="${name}-${language}" value="${language}"${n === 0 ? ' checked' : ''}><label for="${name}-${language}">${title}</label>`,
  );
  const panels = blocks.map(({ code, language }) => codeBlock(code, language));
  return `<fieldset class="tabs"><legend>${label}</legend>${buttons.join('')}<div class="panels">${panels.join('')}</div></fieldset>`;
}

export interface Tab {
  title: string;
  language: string;
  code: string;
}
