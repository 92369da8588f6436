/** `npm run soak -- --minutes 10`: people use the local cloud for a while, and everything that it answers is checked. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../lib/command/command.ts';
import { Problem } from '../../lib/problem.ts';
import { soak } from './soak.ts';
import { summary } from './summary.ts';
import { verdictOf } from './verdict.ts';

const usage = `npm run soak -- [options]
  --minutes N   how long people use it: 10; fractions are fine
  --people N    how many they are: 12, each with two devices; beside them there is a hostile one
  --seed N      a number that they draw their lots from
  --no-purge    do not wait, at the end, until nothing of deleted conversations is left
  --help        print this

Starts a local cloud in memory. Ctrl-C ends the traffic; what is there is checked all the same.`;

const purgeMinutes = 10;

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      people: { type: 'string', default: '12' },
      seed: { type: 'string' },
      'no-purge': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    milliseconds: number('minutes', values.minutes, 0.01, 24 * 60) * 60_000,
    people: whole('people', values.people, 1, 200),
    seed: whole('seed', values.seed ?? String(Date.now() % 1_000_000), 0, 2 ** 31),
    purgeMilliseconds: values['no-purge'] ? 0 : purgeMinutes * 60_000,
  };
}

function number(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) return value;
  throw new Problem(`--${name} takes a number from ${least} to ${most}, not '${text}'.`);
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = number(name, text, least, most);
  if (Number.isInteger(value)) return value;
  throw new Problem(`--${name} takes a whole number, not '${text}'.`);
}

async function main(): Promise<void> {
  const { help, ...options } = readOptions();
  if (help) {
    console.log(usage);
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
  const outcome = await soak({
    ...options,
    dataDirectory: join(import.meta.dirname, '../../.local/soak'),
    stop: stop.signal,
    log: (line) => console.log(line),
  });
  const verdict = verdictOf(outcome);
  console.log(summary(outcome, verdict));
  if (verdict.faults.length > 0) {
    console.log(`Once more with the same lots: npm run soak -- --seed ${options.seed}`);
    process.exitCode = 1;
  }
}

runCommand(main, usage);
