import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import {
  getIdentityVariables,
  type Issuer,
  openLocalIssuer,
  startKeyServer,
  type TokenClaims,
} from '../../local-cloud/issuer.ts';
import { maxGroups } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { toFeedName } from '../../shared/inbox.ts';
import { addMember, removeMember, seedUserGroup } from '../support/table/memberships.ts';
import '../support/setup/use-table.ts';
import { userGroupPrefix } from '../../shared/contract/schema/field-types.ts';
import { usage } from '../../shared/log/usage.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { createTokenUntil } from '../support/handlers/create-token.ts';

const Authorizer = v.object({ handler: v.function() });

describe('The channel authorizer', () => {
  let issuer: Issuer;
  let keyServer: Awaited<ReturnType<typeof startKeyServer>>;
  let handler: (event: unknown) => unknown;
  beforeAll(async () => {
    issuer = await openLocalIssuer(mkdtempSync(join(tmpdir(), 'channel-authorizer-')));
    keyServer = await startKeyServer(issuer);
    Object.assign(process.env, getIdentityVariables(keyServer.keysUrl));
    const loaded = v.parse(Authorizer, await import('../../functions/channel-authorizer.ts'));
    handler = (event) => loaded.handler(event);
  });
  afterAll(() => keyServer.close());
  const authorization = async (claims: TokenClaims = {}) =>
    `Token ${await issuer.token('ann', claims)}`;
  const ask = (authorizationToken: string, operation: string, channel: string | null = null) =>
    handler({
      authorizationToken,
      requestContext: {
        apiId: 'abc',
        accountId: '123456789012',
        requestId: 'a',
        operation,
        channelNamespaceName: channel === null ? null : 'inbox',
        channel,
      },
      requestHeaders: {},
    });
  const allowed = { isAuthorized: true, ttlOverride: 0 };
  const refused = { isAuthorized: false, ttlOverride: 0 };
  const hour = 3_600_000;
  /** Start of the next hour, in Unix milliseconds, so that no test spans an hour change. */
  const begin = (Math.floor(Date.now() / hour) + 1) * hour;
  const itIs = (seconds: number) =>
    jest.spyOn(clock, 'now').mockReturnValue(begin + seconds * 1000);
  beforeEach(() => {
    itIs(1800);
  });
  const channelOf = (kind: 'contact' | 'group', id: string, hours = 0) =>
    `/inbox/${toFeedName({ kind, id })}/${begin / hour + hours}`;
  const endingAt = async (seconds: number) =>
    `Token ${await createTokenUntil(issuer, begin / 1000 + seconds)}`;

  test('with a valid token allows a connection and subscriptions to the inboxes of the contact and its groups', async () => {
    const token = await authorization({ groups: ['team', 'friends'] });
    expect([
      await ask(token, 'EVENT_CONNECT'),
      await ask(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'ann')),
      await ask(token, 'EVENT_SUBSCRIBE', channelOf('group', 'team')),
      await ask(token, 'EVENT_SUBSCRIBE', channelOf('group', 'friends')),
    ]).toEqual([allowed, allowed, allowed, allowed]);
  });

  test('allows only current members to subscribe to a user group, and reads the table for no other channel', async () => {
    const token = await authorization({ groups: ['team'] });
    const group = await seedUserGroup({ ann: 'member' });
    const other = await seedUserGroup({ bob: 'owner' });
    const channel = (id: string) => `${channelOf('group', id)}/${id.slice(userGroupPrefix.length)}`;
    const subscribe = async (name: string) => {
      const answer = await ask(token, 'EVENT_SUBSCRIBE', name);
      return [answer, usage.table_calls];
    };
    expect(await subscribe(channel(group))).toEqual([allowed, 1]);
    expect(await subscribe(channel(other))).toEqual([refused, 1]);
    await removeMember(group, 'ann');
    expect(await subscribe(channel(group))).toEqual([refused, 1]);
    await addMember(group, 'ann');
    expect(await subscribe(channel(group))).toEqual([allowed, 1]);
    expect(await subscribe(channelOf('group', group))).toEqual([refused, 0]);
    const mixed = `${channelOf('group', other)}/${group.slice(userGroupPrefix.length)}`;
    expect(await subscribe(mixed)).toEqual([refused, 0]);
    expect(await subscribe(channelOf('group', 'team'))).toEqual([allowed, 0]);
  });

  test('rejects subscriptions to inboxes of other contacts or groups, to wildcards, to past hours and to hours after the next', async () => {
    const token = await authorization({ groups: ['team'] });
    const channels = [
      channelOf('contact', 'bob'),
      channelOf('group', 'ann'),
      channelOf('contact', 'team'),
      channelOf('group', 'friends'),
      '/inbox/*',
      `${channelOf('contact', 'ann').slice(0, -6)}*`,
      channelOf('contact', 'ann', -1),
      channelOf('contact', 'ann', 2),
      null,
    ];
    for (const channel of channels) {
      expect([channel, await ask(token, 'EVENT_SUBSCRIBE', channel)]).toEqual([channel, refused]);
    }
  });

  test('accepts a subscription to the next hour’s channel in the last ten minutes of an hour, if the token is valid when the next hour starts', async () => {
    const [long, next] = [await endingAt(3700), channelOf('contact', 'ann', 1)];
    itIs(2999);
    expect(await ask(long, 'EVENT_SUBSCRIBE', next)).toEqual(refused);
    itIs(3000);
    expect(await ask(long, 'EVENT_SUBSCRIBE', next)).toEqual(allowed);
    expect(await ask(await endingAt(3599), 'EVENT_SUBSCRIBE', next)).toEqual(refused);
  });

  test.each([
    ['that has expired', { expires_in: -60 }],
    ['for another audience', { audience: 'another' }],
    ['from another issuer', { issuer: 'https://another.example.com' }],
    [
      'with more groups than the limit',
      { groups: Array.from({ length: maxGroups + 1 }, (_, n) => `group-${n}`) },
    ],
  ])('rejects a token %s', async (_, claims) => {
    const token = await authorization(claims);
    expect(await ask(token, 'EVENT_CONNECT')).toEqual(refused);
    expect(await ask(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'ann'))).toEqual(refused);
  });

  test.each(['Token ', 'token  ', 'Bearer ', ''])('accepts the prefix %j', async (scheme) => {
    const token = `${scheme}${await issuer.token('ann')}`;
    expect(await ask(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'ann'))).toEqual(allowed);
  });

  test.each(['Token Bearer ', 'Basic ', 'Token'])('rejects the prefix %j', async (scheme) => {
    const token = `${scheme}${await issuer.token('ann')}`;
    expect(await ask(token, 'EVENT_CONNECT')).toEqual(refused);
  });

  test.each(['', 'x', 'Token', 'AWS4-HMAC-SHA256 Credential=x'])(
    'rejects %j as a token',
    async (token) => {
      expect(await ask(token, 'EVENT_CONNECT')).toEqual(refused);
    },
  );

  test('accepts a token before its expiry time, and rejects it at that time', async () => {
    const token = await endingAt(1900);
    expect(await ask(token, 'EVENT_CONNECT')).toEqual(allowed);
    itIs(1900);
    expect(await ask(token, 'EVENT_CONNECT')).toEqual(refused);
  });

  test('rejects publishing and unknown operations even with a valid token', async () => {
    const token = await authorization({ groups: ['team'] });
    for (const operation of ['EVENT_PUBLISH', 'EVENT_OTHER']) {
      expect(await ask(token, operation, channelOf('contact', 'ann'))).toEqual(refused);
    }
  });

  test('logs one line per decision, without the channel and the token', async () => {
    const token = await authorization();
    const lines = await captureLogLines(() =>
      Promise.resolve(ask(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'bob'))),
    );
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'INFO',
        operation: 'channel-authorizer',
        asked: 'EVENT_SUBSCRIBE',
        caller: expect.stringMatching(/^[0-9a-f]{12}$/),
        refused: 'channel',
        fault: 0,
      }),
    ]);
    for (const secret of [toFeedName({ kind: 'contact', id: 'bob' }), token])
      expect(JSON.stringify(lines)).not.toContain(secret);
  });
});
