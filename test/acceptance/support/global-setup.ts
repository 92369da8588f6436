import { join } from 'node:path';
import { type Cloud, startCloud } from '../../../lib/local/cloud.ts';
import { demoPeople } from '../../../lib/local/demo.ts';

let cloud: Cloud | undefined;

/**
 * The stories run against the API at API_URL, with the tokens ANN, BOB and CAROL; without API_URL against the local
 * cloud, started here with such tokens, and with some that must not be accepted.
 */
export default async function setUp(): Promise<void> {
  if (process.env.API_URL) return;
  const dataDirectory = join(import.meta.dirname, '../../../.local/test');
  cloud = await startCloud({ port: 0, dataDirectory, inMemory: true });
  const { token, url } = cloud;
  Object.assign(process.env, {
    API_URL: url,
    ANN: await token('ann', demoPeople.ann),
    BOB: await token('bob', demoPeople.bob),
    CAROL: await token('carol', demoPeople.carol),
    EXPIRED: await token('ann', { expires_in: -60 }),
    REFUSED: [
      await token('ann', { audience: 'another' }),
      await token('ann', { issuer: 'https://another.example.com' }),
      await token('an n'),
    ].join(' '),
  });
}

export const tearDown = async (): Promise<void> => cloud?.stop();
