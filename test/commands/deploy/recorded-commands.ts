import type { CommandTools } from '../../../commands/cli/command-tools.ts';

interface Behaviour {
  /** The operator's reply to a question; without it, there is no terminal. */
  typed?: string;
  /** The command that fails. */
  failing?: string;
  /** The commit of the folder. */
  commit?: string;
}

/** Returns command tools that only record the commands. */
export function createRecordedTools({ typed, failing, commit }: Behaviour = {}) {
  const done: string[] = [];
  const printed: string[] = [];
  const record = (command: string) => async (args: readonly string[]) => {
    const line = [command, ...args].join(' ');
    done.push(line);
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
      typed === undefined
        ? undefined
        : async (question) => {
            done.push(`asks: ${question}`);
            return typed;
          },
    print: (line) => {
      printed.push(line);
    },
  };
  return { tools, done, printed };
}
