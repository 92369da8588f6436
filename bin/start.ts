import { run } from '../lib/command/command.ts';
import { startCommand } from '../lib/command/start-options.ts';
import { start } from '../lib/start/start.ts';

await run(
  startCommand('start', 'Ctrl-C stops everything.').action((options) => start(options)),
  '--data',
);
