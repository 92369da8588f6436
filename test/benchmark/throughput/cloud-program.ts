/** Runs a local cloud in memory, prints its addresses, and stops when the input ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloud } from '../../../local-cloud/cloud.ts';

const dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-benchmark-'));
const cloud = await startCloud({ port: 0, inMemory: true, dataDirectory });
const { url, tableEndpoint, tableName } = cloud;
console.log(JSON.stringify({ url, tableEndpoint, tableName, token: await cloud.token('ann') }));
process.stdin.resume().once('end', async () => {
  await cloud.stop();
  await rm(dataDirectory, { recursive: true });
  process.exit();
});
