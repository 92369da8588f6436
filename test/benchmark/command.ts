import { join } from 'node:path';
import { defineCommand, run } from '../../commands/cli/command.ts';
import { createIntegerParser, toParser } from '../../commands/cli/option-parsers.ts';
import { synthesize } from '../../lib/synthesis/synthesis.ts';
import { calculateBill } from './bill-benchmark.ts';
import { measureExpensiveRequests } from './expensive-requests.ts';
import { measureFlatness } from './flatness-benchmark.ts';
import { benchmarkLive } from './live-benchmark.ts';
import { measureLiveWorker } from './live-worker-benchmark.ts';
import { benchmarkPurge } from './purge-benchmark.ts';
import { writePerformancePage } from './report/performance-page.ts';
import { formatSection } from './report/section.ts';
import { measureStartUp } from './start-up/start-up-benchmark.ts';
import { measureThroughput } from './throughput/throughput-benchmark.ts';
import { measureWarmCpu } from './warm/warm-benchmark.ts';
import { withTable } from './with-table.ts';

const more =
  'Without a subcommand, measures the start-up and warm CPU time of functions, the throughput of the local cloud and of the live worker, the bill, and the time of requests with different amounts of data. Requires Linux.';

const synthesis = join(import.meta.dirname, '../../.local/synthesis');

/** Returns a parser for lists of integers, such as `1,10,100`. */
const wholeNumbers = (min: number, max: number) =>
  toParser((text) => text.split(',').map(createIntegerParser(min, max)));

const command = defineCommand('bench', more)
  .option('--rounds <number>', 'measurements of each row', createIntegerParser(1, 1000), 20)
  .option(
    '--messages <numbers>',
    'messages in a conversation',
    wholeNumbers(1, 1_000_000),
    [10, 1000, 100_000],
  )
  .option('--write', 'write docs/performance.md and its plots', false)
  .action(async ({ rounds, messages, write }) => {
    const sizes = { messages, conversations: [10, 1000, 10_000], groups: [1, 10, 100] };
    const sections = [
      await measureStartUp(rounds),
      ...(await measureWarmCpu(rounds)),
      ...(await measureThroughput(Math.ceil(rounds / 4), 3)),
      calculateBill((await synthesize('prod', synthesis)).template),
      ...(await withTable(async (measure) => [
        ...(await measureExpensiveRequests(measure)),
        await measureLiveWorker(rounds),
        ...(await measureFlatness(measure, sizes, rounds)),
      ])),
    ];
    console.log(sections.map(formatSection).join('\n\n'));
    if (write) await writePerformancePage(sections);
  });
command
  .command('purge')
  .description(
    'Measures sends to other conversations with and without the purge of a large conversation, and prints the ratio.',
  )
  .helpOption('--help', 'print this help')
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
    'Measures push latency after a send, the time to read missed events from a feed, and the time to append a burst of messages and its effect on pushes in another group.',
  )
  .helpOption('--help', 'print this help')
  .option('--sends <number>', 'messages per crowd', createIntegerParser(1, 100_000), 200)
  .option('--listeners <numbers>', 'listeners per crowd', wholeNumbers(1, 1000), [1, 10, 100])
  .option(
    '--away <numbers>',
    'missed events to read',
    wholeNumbers(1, 1_000_000),
    [10, 1000, 10_000],
  )
  .option('--burst <number>', 'messages in the burst', createIntegerParser(1, 1_000_000), 5000)
  .action((sizes) => benchmarkLive(sizes, {}, console.log));

await run(command);
