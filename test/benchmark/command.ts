import { defineCommand, run } from '../../commands/cli/command.ts';
import { kind, wholeNumberFrom } from '../../commands/cli/kinds.ts';
import { benchmarkLive } from './live-benchmark.ts';
import { benchmarkPurge } from './purge-benchmark.ts';

const more = 'Each starts a local cloud in memory, and prints what it has measured there.';

const command = defineCommand('bench', more);

/** `1,10,100` */
const wholeNumbers = (least: number, most: number) =>
  kind((text) => text.split(',').map(wholeNumberFrom(least, most)));

command
  .command('purge')
  .description(
    'What the purge of a large conversation does to everybody else: people send to conversations of their own while nothing is purged and while something is, in one run. What counts is the ratio.',
  )
  .helpOption('--help', 'print this')
  .option('--messages <number>', 'of the conversation', wholeNumberFrom(1, 10_000_000), 100_000)
  .action(({ messages }) => benchmarkPurge(messages));

command
  .command('live')
  .description(
    'How soon a message is pushed to those who listen, beside the time of the send itself, and what it takes to read on from the feed after having been away.',
  )
  .helpOption('--help', 'print this')
  .option('--sends <number>', 'to each crowd', wholeNumberFrom(1, 100_000), 200)
  .option('--listeners <numbers>', 'in each crowd', wholeNumbers(1, 1000), [1, 10, 100])
  .option(
    '--away <numbers>',
    'events after which somebody comes back',
    wholeNumbers(1, 1_000_000),
    [10, 1000, 10_000],
  )
  .action((sizes) => benchmarkLive(sizes, {}, console.log));

await run(command);
