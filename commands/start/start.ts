import { once } from 'node:events';
import { startCloud } from '../../local-cloud/cloud.ts';
import { lockDirectory, requireWritable } from '../../local-cloud/data-lock.ts';
import { createPaint } from '../../local-cloud/terminal/paint.ts';
import { createRawTerminal, createShortTerminal } from '../../local-cloud/terminal/terminal.ts';
import { strictVariables } from '../../shared/strict-mode.ts';
import { createInterruptSignal } from '../cli/interrupt-signal.ts';
import type { Companion } from './companion.ts';
import { formatGreeting } from './format-greeting.ts';
import { makeDemoData } from './make-demo-data.ts';

export interface StartOptions {
  /** Port of the API; 0 selects a free port. */
  port: number;
  data: string;
  inMemory: boolean;
  demo: boolean;
  playground: boolean;
  strict: boolean;
  quiet: boolean;
  json: boolean;
}

/** Runs the local cloud in this terminal until Ctrl-C or a fatal error. */
export async function start(options: StartOptions, startCompanion?: Companion): Promise<void> {
  const { port, data: dataDirectory, inMemory, demo, playground, quiet, json } = options;
  const interrupted = once(createInterruptSignal(), 'abort').then(() => undefined);
  const print = json ? console.error : console.log;
  const paint = createPaint(json ? process.stderr : process.stdout);
  const terminal = json
    ? createRawTerminal(console.log, console.error)
    : createShortTerminal(console.log, paint);
  const errorPaint = createPaint(process.stderr);
  const progress = (task: string) => console.error(errorPaint('dim', `${task} …`));
  requireWritable(dataDirectory);
  // If the data is on disk, the local cloud itself locks the folder.
  if (inMemory) lockDirectory(dataDirectory);
  const starting = startCloud({
    port,
    dataDirectory,
    inMemory,
    playground,
    ...(options.strict && { variables: strictVariables }),
    log: quiet ? () => {} : terminal.log,
    ...(!quiet && { onExchange: terminal.onExchange }),
    warn: (line) => console.error(line),
    progress,
  });
  const cloud = await Promise.race([starting, interrupted]);
  // Exiting this process also ends the processes that are still starting.
  if (!cloud) process.exit(0);
  let stopCompanion = () => {};
  try {
    if (cloud.newData && demo) {
      progress('Creating demo data');
      await makeDemoData(cloud);
    }
    print(formatGreeting(cloud, dataDirectory, playground));
    terminal.open();
    stopCompanion = startCompanion?.(cloud, print, paint) ?? stopCompanion;
    const failure = await Promise.race([interrupted, cloud.failed]);
    if (failure) throw failure;
  } finally {
    stopCompanion();
    await cloud.stop();
  }
}
