import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, importJWK } from 'jose';
import { audience, issuer } from '../../../local-cloud/issuer.ts';
import type { BusinessRecord } from '../../../shared/contract/business/business.ts';
import { importDemoBusinesses } from '../../support/processes/import-demo-businesses.ts';
import { startTestCloud } from '../../support/processes/start-test-cloud.ts';
import { type AcceptedState, createAcceptedState } from './accepted-state.ts';
import { type Confidential, makeConfidential } from './confidential-data.ts';
import type { Person } from './person.ts';
import { createRawClient, type RawClient } from './raw-client.ts';

/**
 * The fuzz target: a local cloud, the people who call it, and confidential data of other people.
 */
export interface Fixture {
  url: string;
  client: RawClient;
  people: Person[];
  /** Tokens that the API must reject. */
  oddTokens: string[];
  businesses: readonly BusinessRecord[];
  confidential: Confidential;
  model: AcceptedState;
  stop(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'fuzz-'));
  const cloud = await startTestCloud({ dataDirectory });
  const client = createRawClient(Number(new URL(cloud.url).port));
  const sign = await createSigner(dataDirectory);
  const person = async (id: string, claims: object = {}): Promise<Person> => ({
    ...{ id, groups: [], username: null },
    ...claims,
    authorization: `Bearer ${await sign(payload({ sub: id, ...claims }))}`,
  });
  // Unusual claims that an identity provider may put into a valid token.
  const dave = {
    ...(await person('dave', {
      groups: ['friends', 'a#b', '__proto__', 5, null, {}, 'x'.repeat(129)],
      preferred_username: 'da\u0000ve',
      username: 'da ve "\u{1f600}" </script>',
      picture: ['not text'],
      'cognito:groups': 'team',
    })),
    groups: ['friends', '__proto__'],
  };
  const people = [
    await person('ann', {
      groups: ['team', 'friends'],
      username: 'Ann',
      phone_number: '+15550100',
    }),
    await person('bob', { groups: ['team'], username: 'Bob' }),
    await person('carol', { groups: ['friends'] }),
    dave,
  ];
  const { confidential, secretive } = await makeConfidential(cloud.url, person);
  const fixture = {
    url: cloud.url,
    client,
    people,
    oddTokens: await createInvalidTokens(sign),
    businesses: await importDemoBusinesses(cloud),
    confidential,
    model: createAcceptedState([...people, ...secretive]),
    stop: async () => {
      client.close();
      await cloud.stop();
    },
  };
  return fixture;
}

const payload = (claims: object) => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: audience, iat: now, exp: now + 43_200, ...claims };
};

type Sign = (claims: object | string, alg?: 'RS256') => Promise<string>;

async function createSigner(dataDirectory: string): Promise<Sign> {
  const key = JSON.parse(await readFile(join(dataDirectory, 'issuer-key.json'), 'utf8'));
  const signingKey = await importJWK(key, 'RS256');
  return (claims) =>
    new CompactSign(Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
      .sign(signingKey);
}

async function createInvalidTokens(sign: Sign): Promise<string[]> {
  const good = payload({ sub: 'ann', groups: ['team'] });
  const text = JSON.stringify(good);
  const tokens = await Promise.all([
    ...[
      '',
      'null',
      '[]',
      '"ann"',
      '{',
      '{"sub":"ann"}',
      '\u0000',
      '{"__proto__":{"sub":"ann"}}',
    ].map((one) => sign(one)),
    ...[
      undefined,
      null,
      '',
      5,
      ['ann'],
      { a: 1 },
      'ann#x',
      'a b',
      'ä',
      'x'.repeat(129),
      'CONTACT#ann',
    ]
      .map((sub) => ({ ...good, sub }))
      .map((claims) => sign(claims)),
    ...[{ exp: 1 }, { exp: 0 }, { exp: -1 }, { exp: 'never' }, { exp: null }, { exp: [4e9] }].map(
      (odd) => sign({ ...good, ...odd }),
    ),
    ...[{ iss: 'https://elsewhere.example' }, { aud: 'other' }, { aud: [] }, { nbf: 4e9 }].map(
      (odd) => sign({ ...good, ...odd }),
    ),
    sign(text.replace('"iss"', '"iss":1,"iss2"')),
  ]);
  const [header, body, signature] = (await sign(good)).split('.');
  const other = Buffer.from(JSON.stringify({ ...good, sub: 'vera' })).toString('base64url');
  return [...tokens, `${header}.${other}.${signature}`, `${header}.${body}.`].map(
    (token) => `Bearer ${token}`,
  );
}
