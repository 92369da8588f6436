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
import { addMember, removeMember, seedUserGroup } from '../support/seeds/memberships.ts';
import '../support/setup/use-table.ts';
import { userGroupPrefix } from '../../shared/contract/schema/field-types.ts';
import { usage } from '../../shared/log/usage.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { createTokenUntil } from '../support/people/create-token.ts';

const Authorizer = v.object({ handler: v.function() });

describe('The channel authorizer', () => {
  let issuer: Issuer;
  let keyServer: Awaited<ReturnType<typeof startKeyServer>>;
  let handler: (event: unknown) => unknown;
  beforeAll(async () => {
    issuer = await openLocalIssuer(mkdtempSync(join(tmpdir(), 'channel-authorizer-')));
    keyServer = await startKeyServer(issuer);
    Object.assign(process.env, getIdentityVariables(keyServer.keysUrl));
    const authorizer = v.parse(Authorizer, await import('../../functions/channel-authorizer.ts'));
    handler = (event) => authorizer.handler(event);
  });
  afterAll(() => keyServer.close());
  const authorization = async (claims: TokenClaims = {}) =>
    `Token ${await issuer.token('ann', claims)}`;
  const authorize = (
    authorizationToken: string,
    operation: string,
    channel: string | null = null,
  ) =>
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
  /** Start of the next hour, in Unix milliseconds. */
  const hourStart = (Math.floor(Date.now() / hour) + 1) * hour;
  const setTime = (seconds: number) =>
    jest.spyOn(clock, 'now').mockReturnValue(hourStart + seconds * 1000);
  beforeEach(() => {
    setTime(1800);
  });
  const channelOf = (kind: 'contact' | 'group', id: string, hours = 0) =>
    `/inbox/${toFeedName({ kind, id })}/${hourStart / hour + hours}`;
  const createAuthorization = async (seconds: number) =>
    `Token ${await createTokenUntil(issuer, hourStart / 1000 + seconds)}`;

  test('allows a client with a valid token to connect, and to subscribe to the inboxes of the contact and its groups', async () => {
    const token = await authorization({ groups: ['team', 'friends'] });
    expect([
      await authorize(token, 'EVENT_CONNECT'),
      await authorize(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'ann')),
      await authorize(token, 'EVENT_SUBSCRIBE', channelOf('group', 'team')),
      await authorize(token, 'EVENT_SUBSCRIBE', channelOf('group', 'friends')),
    ]).toEqual([allowed, allowed, allowed, allowed]);
  });

  test('allows only current members to subscribe to a user group, and reads the table only for channels of user groups', async () => {
    const token = await authorization({ groups: ['team'] });
    const group = await seedUserGroup({ ann: 'member' });
    const other = await seedUserGroup({ bob: 'owner' });
    const channel = (id: string) => `${channelOf('group', id)}/${id.slice(userGroupPrefix.length)}`;
    const subscribe = async (name: string) => {
      const decision = await authorize(token, 'EVENT_SUBSCRIBE', name);
      return [decision, usage.table_calls];
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

  test('rejects subscriptions to inboxes of other contacts or groups, to wildcards, to past hours and to hours after the next hour', async () => {
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
      expect([channel, await authorize(token, 'EVENT_SUBSCRIBE', channel)]).toEqual([
        channel,
        refused,
      ]);
    }
  });

  test('accepts a subscription to the next hour’s channel in the last ten minutes of an hour, if the token is valid when the next hour starts', async () => {
    const [long, next] = [await createAuthorization(3700), channelOf('contact', 'ann', 1)];
    setTime(2999);
    expect(await authorize(long, 'EVENT_SUBSCRIBE', next)).toEqual(refused);
    setTime(3000);
    expect(await authorize(long, 'EVENT_SUBSCRIBE', next)).toEqual(allowed);
    expect(await authorize(await createAuthorization(3599), 'EVENT_SUBSCRIBE', next)).toEqual(
      refused,
    );
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
    expect(await authorize(token, 'EVENT_CONNECT')).toEqual(refused);
    expect(await authorize(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'ann'))).toEqual(refused);
  });

  test.each(['Token ', 'token  ', 'Bearer ', ''])('accepts the prefix %j', async (scheme) => {
    const token = `${scheme}${await issuer.token('ann')}`;
    expect(await authorize(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'ann'))).toEqual(allowed);
  });

  test.each(['Token Bearer ', 'Basic ', 'Token'])('rejects the prefix %j', async (scheme) => {
    const token = `${scheme}${await issuer.token('ann')}`;
    expect(await authorize(token, 'EVENT_CONNECT')).toEqual(refused);
  });

  test.each(['', 'x', 'Token', 'AWS4-HMAC-SHA256 Credential=x'])(
    'rejects %j as a token',
    async (token) => {
      expect(await authorize(token, 'EVENT_CONNECT')).toEqual(refused);
    },
  );

  test('accepts a token before its expiry time, and rejects it at that time', async () => {
    const token = await createAuthorization(1900);
    expect(await authorize(token, 'EVENT_CONNECT')).toEqual(allowed);
    setTime(1900);
    expect(await authorize(token, 'EVENT_CONNECT')).toEqual(refused);
  });

  test('rejects publishing and unknown operations even if the token is valid', async () => {
    const token = await authorization({ groups: ['team'] });
    for (const operation of ['EVENT_PUBLISH', 'EVENT_OTHER']) {
      expect(await authorize(token, operation, channelOf('contact', 'ann'))).toEqual(refused);
    }
  });

  test('logs one line per decision, without the channel or the token', async () => {
    const token = await authorization();
    const lines = await captureLogLines(() =>
      Promise.resolve(authorize(token, 'EVENT_SUBSCRIBE', channelOf('contact', 'bob'))),
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
