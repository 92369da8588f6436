import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import {
  audience,
  type Issuer,
  issuer,
  openLocalIssuer,
  startKeyServer,
} from '../../local-cloud/issuer.ts';
import { temporaryFolder } from './small-stack.ts';

const directory = temporaryFolder();
let provider: Issuer;
let keyServer: Awaited<ReturnType<typeof startKeyServer>>;

beforeAll(async () => {
  provider = await openLocalIssuer(directory);
  keyServer = await startKeyServer(provider);
});
afterAll(() => keyServer.close());

const verified = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(keyServer.keysUrl)), { issuer, audience });

describe('the local identity provider', () => {
  test('creates tokens that its published keys verify', async () => {
    const claims = {
      groups: ['team', 'friends'],
      username: 'Ann',
      phone_number: '+15550100',
      picture: 'https://example.com/ann.png',
    };
    const { payload, protectedHeader } = await verified(await provider.token('ann', claims));
    const iat = payload.iat ?? 0;
    expect(protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'JWT' });
    expect(payload).toEqual({
      ...claims,
      sub: 'ann',
      iss: 'https://local.messaging.example',
      aud: 'messaging',
      jti: expect.any(String),
      iat,
      exp: iat + 12 * 60 * 60,
    });
  });

  test('can create tokens that are expired or have another issuer or audience', async () => {
    const {
      exp = 0,
      iat = 0,
      ...payload
    } = decodeJwt(
      await provider.token('ann', {
        expires_in: -5,
        audience: 'other',
        issuer: 'https://other.example',
      }),
    );
    expect(exp - iat).toBe(-5);
    expect(payload).toMatchObject({ aud: 'other', iss: 'https://other.example' });
  });

  test('stores its private key in a file that only the owner can read, and publishes only the public key', async () => {
    expect(statSync(join(directory, 'issuer-key.json')).mode & 0o777).toBe(0o600);
    const again = await openLocalIssuer(directory);
    expect(again.keySet).toEqual(provider.keySet);
    expect(Object.keys(again.keySet.keys[0] ?? {}).sort()).toEqual([
      'alg',
      'e',
      'kid',
      'kty',
      'n',
      'use',
    ]);
  });

  test('creates only one key if two commands open it concurrently', async () => {
    const folder = temporaryFolder();
    const [one, other] = await Promise.all([openLocalIssuer(folder), openLocalIssuer(folder)]);
    expect(one.keySet).toEqual(other.keySet);
  });
});
