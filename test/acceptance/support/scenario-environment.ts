import { demoPeople } from '../../../demo/people.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';

export const scenarioEnvironment = async ({ url, token }: Cloud) => ({
  API_URL: url,
  DOCUMENTED_PEOPLE: 'yes',
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
