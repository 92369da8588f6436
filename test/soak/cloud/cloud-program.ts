/**
 * Runs the local cloud in a separate process, so that the measured memory excludes the soak test's
 * model.
 */

import { join } from 'node:path';
import { toErrorMessage } from '../../../lib/problem.ts';
import { synthesize } from '../../../lib/synthesis/synthesis.ts';
import { startCloud } from '../../../local-cloud/cloud.ts';
import type { FromCloud } from './cloud-process.ts';

const post = (message: FromCloud) => {
  if (process.connected) process.send?.(message);
};

const [dataDirectory = '.local/soak', where = 'memory'] = process.argv.slice(2);
const disconnected = new Promise<void>((resolve) => process.once('disconnect', resolve));
// Ctrl-C sends SIGINT to this process, too, but the final checks still need the local cloud.
process.on('SIGINT', () => {});

/** Synthesizes the dev stack, with every schedule set to one minute. */
async function synthesizeStack() {
  const assembly = await synthesize('dev', join(dataDirectory, 'synthesis'));
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    const isSchedule = Type === 'AWS::Events::Rule' && 'ScheduleExpression' in Properties;
    if (isSchedule) Properties.ScheduleExpression = 'rate(1 minute)';
  }
  return assembly;
}

try {
  const cloud = await startCloud({
    port: 0,
    dataDirectory,
    assembly: await synthesizeStack(),
    inMemory: where === 'memory',
    log: (line) => {
      if (!line.includes('"level":"INFO"')) post({ kind: 'printed', line });
    },
  });
  const { url, tableEndpoint, tableName } = cloud;
  post({ kind: 'serving', url, tableEndpoint, tableName });
  const failure = await Promise.race([disconnected, cloud.failed]);
  if (failure) post({ kind: 'printed', line: failure.message });
  await cloud.stop();
} catch (error) {
  post({ kind: 'failed', message: toErrorMessage(error) });
}
process.exit();
