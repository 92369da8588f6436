import { describe, expect, test } from '@jest/globals';
import { userGroupPrefix } from '../../../shared/contract/schema/field-types.ts';
import { isUserGroup, newGroupId } from '../../../shared/ids.ts';
import { getInboxes, type Inbox, toFeedName } from '../../../shared/inbox.ts';
import {
  canSubscribe,
  getPublishChannels,
  getSubscribableChannels,
  getUserGroup,
  type Listener,
} from '../../../shared/push/channels.ts';
import fc from '../../support/setup/fast-check.ts';

const hour = 3600;
const userGroup = newGroupId(0);
const id = fc.constantFrom(
  ...['ann', 'bob', 'team', 'friends', 'a|b', 'x'.repeat(128)],
  ...[userGroup, newGroupId(1)],
);
/** Returns the suffix of a user group's channel names, or an empty string for other inboxes. */
const toSuffix = ({ kind, id }: Inbox) =>
  kind === 'group' && isUserGroup(id) ? `/${id.slice(userGroupPrefix.length)}` : '';
const turn = fc.integer({ min: 450_000, max: 460_000 }).map((one) => one * hour);
/** Times near the start of an hour, when the channels change, and times at any point in an hour. */
const time = fc.oneof(
  fc.tuple(turn, fc.integer({ min: -700, max: 200 })).map(([at, seconds]) => at + seconds),
  fc.tuple(turn, fc.integer({ min: 0, max: hour - 1 })).map(([at, seconds]) => at + seconds),
);
const listenerAt = (seconds: number) =>
  fc.record({
    id,
    groups: fc.uniqueArray(id, { maxLength: 3 }),
    tokenExpiresAt: fc.integer({ min: -hour, max: 3 * hour }).map((more) => seconds + more),
  });
const timeAndListener = time.chain((now) =>
  fc.record({ now: fc.constant(now), listener: listenerAt(now) }),
);
const inbox = fc.record({ kind: fc.constantFrom('contact' as const, 'group' as const), id });

const endOfHour = (seconds: number) => (Math.floor(seconds / hour) + 1) * hour;
const isOf = (listener: Listener, one: Inbox) =>
  getInboxes(listener).some(({ kind, id: owner }) => kind === one.kind && owner === one.id);

describe('Channels', () => {
  test('have names that contain the hour number and a hash of the owner', () => {
    const channels = getPublishChannels({ kind: 'contact', id: 'ann' }, 1_800_000_123);
    expect(channels).toEqual(['/inbox/a5771efe5b366d84aef39c59cce042c7fbb52b87/500000']);
  });

  test('of user groups, unlike those of other groups, have names that end with the group id without `grp_`', () => {
    const [name = ''] = getPublishChannels({ kind: 'group', id: userGroup }, 1_800_000_123);
    expect(name).toMatch(/^\/inbox\/[\da-f]{40}\/500000\/[\dA-Z]{26}$/);
    expect(getUserGroup(name)).toBe(userGroup);
    const [other = ''] = getPublishChannels({ kind: 'group', id: 'team' }, 1_800_000_123);
    expect(getUserGroup(other)).toBeUndefined();
  });

  test('of the next hour also receive the events of the last 90 seconds before that hour', () => {
    const count = (seconds: number) =>
      getPublishChannels({ kind: 'contact', id: 'ann' }, 1_800_000_000 + seconds).length;
    expect([0, 1, 3509, 3510, 3599, 3600].map(count)).toEqual([1, 1, 1, 2, 2, 1]);
  });

  test('differ between a contact and a group with the same id', () => {
    expect(toFeedName({ kind: 'contact', id: 'x' })).not.toBe(
      toFeedName({ kind: 'group', id: 'x' }),
    );
  });

  test('deliver an inbox’s events, until the reported expiry, to exactly the owners whose token was valid when they subscribed', () => {
    fc.assert(
      fc.property(
        timeAndListener,
        inbox,
        fc.integer({ min: 0, max: 2 * hour }),
        (at, one, later) => {
          const { channels, expires_at } = getSubscribableChannels(at.listener, at.now);
          const names = channels.map(({ name }) => name);
          const published = getPublishChannels(one, at.now + later);
          const isDelivered = published.some((name) => names.includes(name));
          const isGood = at.now < at.listener.tokenExpiresAt;
          expect(isDelivered).toBe(isGood && isOf(at.listener, one) && at.now + later < expires_at);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('accept subscriptions during their hour and the ten minutes before it, but only from owners whose token is valid at the subscription and at the start of the hour', () => {
    fc.assert(
      fc.property(
        timeAndListener,
        inbox,
        fc.integer({ min: -2, max: 3 }),
        ({ now, listener }, one, more) => {
          const number = Math.floor(now / hour) + more;
          const name = `/inbox/${toFeedName(one)}/${number}${toSuffix(one)}`;
          const isSoonEnough = more === 0 || (more === 1 && endOfHour(now) - now <= 600);
          const isGood = listener.tokenExpiresAt > Math.max(now, number * hour);
          expect(canSubscribe(name, listener, now)).toBe(
            isOf(listener, one) && isSoonEnough && isGood,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('deliver no events to a client after the hour in which the client’s token expires', () => {
    fc.assert(
      fc.property(
        timeAndListener,
        fc.integer({ min: 0, max: 4 * hour }),
        fc.integer({ min: 0, max: 4 * hour }),
        ({ now, listener }, later, after) => {
          // At a random time, the client subscribes to every channel that it may subscribe to at
          // that time.
          const granted = getSubscribableChannels(listener, now + later).channels.map(
            ({ name }) => name,
          );
          const bound = endOfHour(listener.tokenExpiresAt);
          const published = getInboxes(listener).flatMap((one) =>
            getPublishChannels(one, Math.max(bound, now) + after),
          );
          expect(published.filter((name) => granted.includes(name))).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each([
    '/inbox/*',
    '/inbox/{feed}/*',
    '/inbox/*/{hour}',
    '/*',
    '*',
    '',
    '/inbox',
    '/inbox/{feed}',
    '/other/{feed}/{hour}',
    '/inbox/{feed}/{hour}/',
    '/inbox/{feed}/{hour}/more',
    'inbox/{feed}/{hour}',
    '/INBOX/{feed}/{hour}',
    '/inbox/{feed}/0{hour}',
    '/inbox/{feed}/{hour}\n',
  ])('reject a subscription to %j', (pattern) => {
    const now = 1_800_000_123;
    const listener = { id: 'ann', groups: ['team'], tokenExpiresAt: now + 60 };
    const named = (text: string) =>
      text
        .replace('{feed}', toFeedName({ kind: 'contact', id: 'ann' }))
        .replace('{hour}', '500000');
    expect(canSubscribe(named('/inbox/{feed}/{hour}'), listener, now)).toBe(true);
    expect(canSubscribe(named(pattern), listener, now)).toBe(false);
  });
});
