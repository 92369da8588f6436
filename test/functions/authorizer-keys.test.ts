import { describe, expect, test } from '@jest/globals';
import type { CryptoKey } from 'jose';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import {
  authorize,
  createKeys,
  healthy,
  invalid,
  keyServer,
  passTime,
  publishKey,
  revokeKey,
  signToken,
} from '../support/people/use-authorizer.ts';

describe('An authorizer that caches the issuer’s keys', () => {
  const noDecision = {};
  const allowed = expect.objectContaining({ principalId: 'ann' });
  const authorizeWithKey = async (kid: string, key?: CryptoKey) =>
    authorize(`Bearer ${await signToken({}, { kid, key })}`);

  test.each([
    ['fails', { status: 500 }, /status 500[\s\S]* at /i],
    ['replies with text', { body: '<html>' }, /Failed to fetch/],
    ['replies with invalid keys', { body: '{"keys":[{}]}' }, /Failed to fetch/],
    ['stops mid-reply', { stops: 'during the reply' }, /abort|timeout/i],
    ['does not reply', { stops: 'before the reply' }, /aborted/],
  ])(
    'fails if the issuer %s, logs the cause, and recovers once the keys are available',
    async (_, fault, cause) => {
      Object.assign(keyServer, fault);
      const lines = await captureLogLines(async () => {
        await expect(authorize(`Bearer ${await signToken()}`)).rejects.toThrow();
      });
      expect(lines).toEqual([
        expect.objectContaining({
          level: 'ERROR',
          operation: 'authorizer',
          fault: 1,
          cause: expect.stringMatching(cause),
        }),
      ]);
      Object.assign(keyServer, healthy);
      passTime(1000);
      expect(await authorize(`Bearer ${await signToken()}`)).toMatchObject({ principalId: 'ann' });
    },
  );

  test('accepts a newly published key one second after the last request for keys, even after tokens with unknown keys', async () => {
    expect(await authorizeWithKey('one')).toEqual(allowed);
    passTime(1000);
    expect(await authorizeWithKey('made-up')).toEqual(invalid);
    passTime(1000);
    const next = await createKeys();
    await publishKey('two', next);
    expect(await authorizeWithKey('two', next.privateKey)).toEqual(allowed);
    expect(keyServer.requestCount).toBe(3);
  });

  test('returns no decision for an unknown key within one second of the last request for keys, and logs unknown_key', async () => {
    expect(await authorizeWithKey('made-up')).toEqual(invalid);
    const next = await createKeys();
    await publishKey('three', next);
    passTime(999);
    const lines = await captureLogLines(async () => {
      expect(await authorizeWithKey('three', next.privateKey)).toEqual(noDecision);
    });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'INFO', code: 'unavailable', unknown_key: 1, fault: 0 }),
    ]);
    passTime(1);
    expect(await authorizeWithKey('three', next.privateKey)).toEqual(allowed);
  });

  test('requests the issuer’s keys at most once a second despite many unknown key ids, and still accepts valid tokens', async () => {
    expect(await authorizeWithKey('one')).toEqual(allowed);
    for (let n = 0; n < 100; n++) {
      passTime(100);
      expect([invalid, noDecision]).toContainEqual(await authorizeWithKey(`made-up-${n}`));
      expect(await authorizeWithKey('one')).toEqual(allowed);
    }
    expect(keyServer.requestCount).toBe(1 + 10);
  });

  test('does not request the keys for a token with a wrong issuer, a wrong audience or no subject', async () => {
    expect(await authorizeWithKey('one')).toEqual(allowed);
    passTime(1000);
    for (const claims of [{ iss: 'https://evil.example' }, { aud: 'other' }, { sub: undefined }]) {
      expect(await authorize(`Bearer ${await signToken(claims, { kid: 'made-up' })}`)).toEqual(
        invalid,
      );
    }
    expect(keyServer.requestCount).toBe(1);
  });

  test('makes one request to the issuer for all concurrent tokens', async () => {
    const decisions = await Promise.all(Array.from({ length: 20 }, () => authorizeWithKey('one')));
    expect(decisions).toEqual(decisions.map(() => allowed));
    expect(keyServer.requestCount).toBe(1);
  });

  test('uses one request for all tokens that arrive before a slow issuer replies', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    keyServer.replyDelay = promise;
    const header = `Bearer ${await signToken()}`;
    const first = authorize(header);
    passTime(1500);
    const second = authorize(header);
    resolve();
    expect(await Promise.all([first, second])).toEqual([allowed, allowed]);
    expect(keyServer.requestCount).toBe(1);
  });

  test('returns no decision for an unknown key if the pending request for keys started before the token arrived', async () => {
    const [early, late] = [await signToken(), await signToken({}, { kid: 'made-up' })];
    const pendingDecisions = [authorize(`Bearer ${early}`)];
    passTime(1);
    pendingDecisions.push(authorize(`Bearer ${late}`));
    expect(await Promise.all(pendingDecisions)).toEqual([allowed, noDecision]);
    expect(keyServer.requestCount).toBe(1);
  });

  test('rejects a revoked key after five minutes', async () => {
    const old = await createKeys();
    await publishKey('old', old);
    expect(await authorizeWithKey('old', old.privateKey)).toEqual(allowed);
    revokeKey('old');
    passTime(5 * 60_000 - 1);
    expect(await authorizeWithKey('old', old.privateKey)).toEqual(allowed);
    passTime(1);
    expect(await authorizeWithKey('old', old.privateKey)).toEqual(invalid);
    expect(keyServer.requestCount).toBe(2);
  });

  test('accepts only the new key after five minutes if the issuer reuses a key id', async () => {
    const first = await createKeys();
    await publishKey('same', first);
    expect(await authorizeWithKey('same', first.privateKey)).toEqual(allowed);
    const second = await createKeys();
    await publishKey('same', second);
    passTime(5 * 60_000);
    expect(await authorizeWithKey('same', second.privateKey)).toEqual(allowed);
    expect(await authorizeWithKey('same', first.privateKey)).toEqual(invalid);
  });

  test('uses its cached keys for an hour while the issuer is down, and retries every 30 seconds', async () => {
    expect(await authorizeWithKey('one')).toEqual(allowed);
    keyServer.status = 500;
    passTime(5 * 60_000);
    for (let n = 0; n < 60; n++) {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      passTime(10_000);
    }
    expect(keyServer.requestCount).toBe(1 + 20);
    passTime(45 * 60_000 - 1);
    expect(await authorizeWithKey('one')).toEqual(allowed);
    passTime(1000);
    await expect(authorizeWithKey('one')).rejects.toThrow('status 500');
    keyServer.status = 200;
    passTime(30_000);
    expect(await authorizeWithKey('one')).toEqual(allowed);
  });

  test('fails for an unknown key while the issuer is down, and retries at most once a second', async () => {
    expect(await authorizeWithKey('one')).toEqual(allowed);
    keyServer.status = 500;
    passTime(1000);
    await expect(authorizeWithKey('made-up')).rejects.toThrow('status 500');
    await expect(authorizeWithKey('made-up')).rejects.toThrow('status 500');
    expect(keyServer.requestCount).toBe(2);
  });

  test('accepts a newly published key after the clock is set back by an hour', async () => {
    expect(await authorizeWithKey('one')).toEqual(allowed);
    passTime(-3_600_000);
    const next = await createKeys();
    await publishKey('four', next);
    expect(await authorizeWithKey('four', next.privateKey)).toEqual(allowed);
  });
});
