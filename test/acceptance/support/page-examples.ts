export interface PageExample {
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
const setupCommands = /^((API|ANN|BOB|CAROL)=|eval "\$\(npm run -s token).*\n/gm;

/** Returns the examples of a page or of its section `section`, in order. */
export function parseExamples(page: string, section?: string): PageExample[] {
  const examples: PageExample[] = [];
  let heading = '';
  let end = 0;
  for (const match of page.matchAll(headingOrBlock)) {
    const { language, text = '' } = match.groups ?? {};
    heading = match.groups?.heading ?? heading;
    const isBelow = page.slice(end, match.index).trim() === '';
    end = match.index + match[0].length;
    if (section !== undefined && heading !== section) continue;

    const line = page.slice(0, match.index).split('\n').length;
    const title = `${heading} (line ${line})`;
    const last = examples.at(-1);
    if (language === 'sh') {
      examples.push({ title, script: text.replace(setupCommands, '') });
    } else if (language === 'json' || language === 'text') {
      if (!last || !isBelow)
        throw new Error(`${title}: the reply must directly follow its commands.`);
      last.reply = { language, text };
    }
  }
  return examples.filter(({ script }) => script.trim() !== '');
}

export const isErrorExample = ({ reply }: PageExample): boolean =>
  reply?.language === 'json' && /"type": "(invalid_request|api_error)"/.test(reply.text);
