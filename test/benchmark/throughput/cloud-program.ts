/** Runs a local cloud, prints its addresses and a token, and stops when standard input ends. */
import { once } from 'node:events';
import { withCloud } from '../local-cloud.ts';

await withCloud({}, async ({ url, tableEndpoint, tableName, token }) => {
  console.log(JSON.stringify({ url, tableEndpoint, tableName, token: await token('ann') }));
  await once(process.stdin.resume(), 'end');
});
process.exit();
