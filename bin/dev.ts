import { run } from '../commands/cli/command.ts';
import { startCommand } from '../commands/cli/start-options.ts';
import { allOf } from '../commands/start/beside.ts';
import { rebuilding } from '../commands/start/rebuilding.ts';
import { reloading } from '../commands/start/reloading.ts';
import { start } from '../commands/start/start.ts';

const more = `Types are not checked: npm run types does that. What is wrong is said once, and what served before serves on. Ctrl-C stops everything.`;

await run(
  startCommand('dev', more).action((options) =>
    start(options, allOf(reloading(options.data), rebuilding)),
  ),
  '--data',
);
