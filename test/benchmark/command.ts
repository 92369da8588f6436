import { defineCommand, run } from '../../commands/cli/command.ts';
import { createIntegerParser, toParser } from '../../commands/cli/option-parsers.ts';
import { benchmarkLive } from './live-benchmark.ts';
import { benchmarkPurge } from './purge-benchmark.ts';

const more = 'Each command starts a local cloud in memory and prints its measurements.';

const command = defineCommand('bench', more);

/** `1,10,100` */
const wholeNumbers = (least: number, most: number) =>
  toParser((text) => text.split(',').map(createIntegerParser(least, most)));

command
  .command('purge')
  .description(
    'Measures how purging a large conversation affects other users: sends to other conversations with and without a purge, in one run. Compare the ratio.',
  )
  .helpOption('--help', 'print this')
  .option(
    '--messages <number>',
    'messages in the conversation',
    createIntegerParser(1, 10_000_000),
    100_000,
  )
  .action(({ messages }) => benchmarkPurge(messages));

command
  .command('live')
  .description(
    'Measures push latency after a send, and the time to catch up on a feed after being offline.',
  )
  .helpOption('--help', 'print this')
  .option('--sends <number>', 'messages per crowd', createIntegerParser(1, 100_000), 200)
  .option('--listeners <numbers>', 'listeners per crowd', wholeNumbers(1, 1000), [1, 10, 100])
  .option(
    '--away <numbers>',
    'events to catch up on',
    wholeNumbers(1, 1_000_000),
    [10, 1000, 10_000],
  )
  .action((sizes) => benchmarkLive(sizes, {}, console.log));

await run(command);
