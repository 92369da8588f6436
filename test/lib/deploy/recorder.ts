import type { Tools } from '../../../lib/deploy/tools.ts';

/** Tools that do nothing but tell what they were asked to do, and what was said. `typed` is what the person answers. */
export function recorder({ typed, failing }: { typed?: string; failing?: string } = {}) {
  const done: string[] = [];
  const printed: string[] = [];
  const record = (command: string) => async (args: readonly string[]) => {
    const line = [command, ...args].join(' ');
    done.push(line);
    if (failing && line.startsWith(failing)) throw new Error(`${failing} failed`);
  };
  const tools: Tools = {
    npm: record('npm'),
    cdk: record('cdk'),
    outputsFile: 'OUTPUTS',
    outputs: async () => ({
      'messaging-staging': { ApiUrl: 'https://api.example.com/staging/' },
      'messaging-prod': { ApiUrl: 'https://api.example.com/prod/' },
    }),
    ask:
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
