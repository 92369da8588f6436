import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../../commands/cli/command.ts';
import { interruption } from '../../commands/cli/interruption.ts';
import { numberFrom, wholeNumberFrom } from '../../commands/cli/kinds.ts';
import { evaluateRun } from './evaluate-run.ts';
import { formatSummary } from './format-summary.ts';
import { soak } from './soak.ts';

const purgeMilliseconds = 10 * 60_000;

const more =
  'Starts a local cloud in memory. Ctrl-C ends the traffic; what is there is checked all the same.';

const command = defineCommand('soak', more)
  .option('--minutes <number>', 'how long people use it', numberFrom(0.01, 24 * 60), 10)
  .option(
    '--people <number>',
    'how many they are, each with two devices; beside them there is a hostile one',
    wholeNumberFrom(1, 200),
    12,
  )
  .addOption(
    new Option('--seed <number>', 'of all that is random in what they do')
      .argParser(wholeNumberFrom(0, 2 ** 31))
      .default(Date.now() % 1_000_000, 'another one each time'),
  )
  .option('--no-purge', 'do not wait, at the end, until nothing of deleted conversations is left')
  .action(async ({ minutes, people, seed, purge }) => {
    const outcome = await soak({
      milliseconds: minutes * 60_000,
      people,
      seed,
      purgeMilliseconds: purge ? purgeMilliseconds : 0,
      dataDirectory: join(import.meta.dirname, '../../.local/soak'),
      stop: interruption(),
      log: (line) => console.log(line),
    });
    const verdict = evaluateRun(outcome);
    console.log(formatSummary(outcome, verdict));
    if (verdict.faults.length > 0) {
      console.log(`Once more with the same seed: npm run soak -- --seed ${seed}`);
      process.exitCode = 1;
    }
  });

await run(command);
