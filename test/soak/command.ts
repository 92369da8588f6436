import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../../commands/cli/command.ts';
import { createInterruptSignal } from '../../commands/cli/interrupt-signal.ts';
import { createIntegerParser, createNumberParser } from '../../commands/cli/option-parsers.ts';
import { evaluateRun } from './evaluate-run.ts';
import { formatSummary } from './format-summary.ts';
import { soak } from './soak.ts';

const purgeMilliseconds = 10 * 60_000;

const more =
  'Starts a local cloud with its table in memory. Ctrl-C ends only the traffic, and starts the final checks.';

const command = defineCommand('soak', more)
  .option('--minutes <number>', 'duration of the traffic', createNumberParser(0.01, 24 * 60), 10)
  .option(
    '--people <number>',
    'number of users with two devices each, not counting the hostile client',
    createIntegerParser(1, 200),
    12,
  )
  .addOption(
    new Option('--seed <number>', 'random seed')
      .argParser(createIntegerParser(0, 2 ** 31))
      .default(Date.now() % 1_000_000, 'a new seed for each run'),
  )
  .option('--no-purge', 'do not wait for the purge of deleted conversations')
  .action(async ({ minutes, people, seed, purge }) => {
    const outcome = await soak({
      milliseconds: minutes * 60_000,
      people,
      seed,
      purgeMilliseconds: purge ? purgeMilliseconds : 0,
      dataDirectory: join(import.meta.dirname, '../../.local/soak'),
      stop: createInterruptSignal(),
      log: (line) => console.log(line),
    });
    const verdict = evaluateRun(outcome);
    console.log(formatSummary(outcome, verdict));
    if (verdict.faults.length > 0) {
      console.log(`Repeat with the same seed: npm run soak -- --seed ${seed}`);
      process.exitCode = 1;
    }
  });

await run(command);
