import { run } from '../commands/cli/command.ts';
import { startCommand } from '../commands/cli/start-options.ts';
import { start } from '../commands/start/start.ts';

await run(
  startCommand('start', 'Press Ctrl-C to stop.').action((options) => start(options)),
  '--data',
);
