/** Shell commands of a page, and the reply shown below them. */
export interface PageExample {
  /** The heading of the section, and the line number. */
  title: string;
  script: string;
  reply?: Reply;
}

interface Reply {
  language: 'json' | 'text';
  text: string;
}

const headingOrBlock = /^#+ (?<heading>.+)$|^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;

/** Setup commands for the API URL and tokens, which the test environment already provides. */
const given = /^((API|ANN|BOB|CAROL)=|eval "\$\(npm run -s token).*\n/gm;

/** Returns the examples of a page, or of one of its sections, in order. */
export function parseExamples(page: string, under?: string): PageExample[] {
  const examples: PageExample[] = [];
  let heading = '';
  let end = 0;
  for (const match of page.matchAll(headingOrBlock)) {
    const { language, text = '' } = match.groups ?? {};
    heading = match.groups?.heading ?? heading;
    const isBelow = page.slice(end, match.index).trim() === '';
    end = match.index + match[0].length;
    if (under !== undefined && heading !== under) continue;

    const line = page.slice(0, match.index).split('\n').length;
    const title = `${heading} (line ${line})`;
    const last = examples.at(-1);
    if (language === 'sh') {
      examples.push({ title, script: text.replace(given, '') });
    } else if (language === 'json' || language === 'text') {
      if (!last || !isBelow)
        throw new Error(`${title}: the reply must directly follow its commands.`);
      last.reply = { language, text };
    }
  }
  return examples.filter(({ script }) => script.trim() !== '');
}

/** Reports whether the example's reply is an error. */
export const isErrorExample = ({ reply }: PageExample): boolean =>
  reply?.language === 'json' && /"type": "(invalid_request|api_error)"/.test(reply.text);
