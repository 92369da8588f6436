import { once } from 'node:events';
import { startCloud } from '../../local-cloud/cloud.ts';
import { painted } from '../../local-cloud/terminal/paint.ts';
import { rawLines, shortLines } from '../../local-cloud/terminal/terminal.ts';
import { interruption } from '../cli/interruption.ts';
import type { Companion } from './beside.ts';
import { makeDemoData } from './demo.ts';
import { greeting } from './greeting.ts';

export interface StartOptions {
  /** 0 selects a free port. */
  port: number;
  data: string;
  inMemory: boolean;
  demo: boolean;
  playground: boolean;
  quiet: boolean;
  json: boolean;
}

/** Runs the local cloud in this terminal until Ctrl-C or a fatal error. */
export async function start(options: StartOptions, beside?: Companion): Promise<void> {
  const { port, data: dataDirectory, inMemory, demo, playground, quiet, json } = options;
  const interrupted = once(interruption(), 'abort').then(() => undefined);
  const say = json ? console.error : console.log;
  const paint = painted(json ? process.stderr : process.stdout);
  const terminal = json ? rawLines(console.log) : shortLines(console.log, paint);
  const dim = painted(process.stderr);
  const progress = (what: string) => console.error(dim('dim', `${what} …`));
  const starting = startCloud({
    port,
    dataDirectory,
    inMemory,
    playground,
    log: quiet ? () => {} : terminal.log,
    ...(!quiet && { onExchange: terminal.onExchange }),
    warn: (line) => console.error(line),
    progress,
  });
  const cloud = await Promise.race([starting, interrupted]);
  // Processes that are still starting exit with this process.
  if (!cloud) process.exit(0);
  let end = () => {};
  try {
    if (cloud.newData && demo) {
      progress('Creating demo data');
      await makeDemoData(cloud);
    }
    say(greeting(cloud, dataDirectory, playground));
    terminal.open();
    end = beside?.(cloud, say, paint) ?? end;
    const failure = await Promise.race([interrupted, cloud.failed]);
    if (failure) throw failure;
  } finally {
    end();
    await cloud.stop();
  }
}
