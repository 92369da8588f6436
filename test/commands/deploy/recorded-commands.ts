import type { CommandTools } from '../../../commands/cli/command-tools.ts';

interface Behavior {
  /** The operator's answer to each question. If undefined, there is no terminal. */
  reply?: string;
  /** Prefix of the command lines that fail. */
  failing?: string;
  commit?: string;
}

/** Returns tools that run nothing, and record commands, questions and printed lines. */
export function createRecordedTools({ reply, failing, commit }: Behavior = {}) {
  const commands: string[] = [];
  const printed: string[] = [];
  const record = (command: string) => async (args: readonly string[]) => {
    const line = [command, ...args].join(' ');
    commands.push(line);
    if (failing && line.startsWith(failing)) throw new Error(`${failing} failed`);
  };
  const tools: CommandTools = {
    npm: record('npm'),
    cdk: record('cdk'),
    verify: (stage) => record('verify')([stage]),
    outputsFile: 'OUTPUTS',
    outputs: async () => ({
      'messaging-staging': { ApiUrl: 'https://api.example.com/staging/' },
      'messaging-prod': { ApiUrl: 'https://api.example.com/prod/' },
    }),
    commit: async () => commit,
    prompt:
      reply === undefined
        ? undefined
        : async (question) => {
            commands.push(`asks: ${question}`);
            return reply;
          },
    print: (line) => {
      printed.push(line);
    },
  };
  return { tools, done: commands, printed };
}
