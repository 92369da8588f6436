import { describe, expect, test } from '@jest/globals';
import { eventTypes } from '../../../../shared/contract/resources/event.ts';
import { toMessageId } from '../../../../shared/ids.ts';
import {
  type FeedEntry,
  formatEntry,
  maxEntryBytes,
  parseEntry,
  toEventId,
} from '../../../../shared/table/feed/feed-entry.ts';
import fc from '../../../support/setup/fast-check.ts';

const conversationId = '01KAMB3YD2XY9Z0ABCDEFGHJKM';
const id = toMessageId({ conversationId, sequence: 7, sentAt: 1_795_236_716_123 });

const version = fc.nat(36 ** 4 - 1);
const at = fc.nat(36 ** 7 - 1);
const entry: fc.Arbitrary<FeedEntry> = fc.oneof(
  fc.record({
    type: fc.constantFrom(...eventTypes),
    ...{ id: fc.constantFrom(id, conversationId), version, at },
  }),
  fc.record({
    type: fc.constantFrom('conversation.updated', 'group.member_added', 'group.member_removed'),
    ...{ id: fc.constant(conversationId), version, at },
    own: fc.constant(true as const),
  }),
);

describe('A feed entry', () => {
  test('of each type can be parsed from its text, which has at most `maxEntryBytes` bytes', () => {
    fc.assert(
      fc.property(entry, (one) => {
        const text = formatEntry(one);
        expect(parseEntry(text)).toEqual(one);
        expect(text.length).toBeLessThanOrEqual(maxEntryBytes);
      }),
    );
    const longest: FeedEntry = {
      type: 'message.created',
      id,
      version: 36 ** 4 - 1,
      at: 36 ** 7 - 1,
    };
    expect(formatEntry(longest)).toHaveLength(maxEntryBytes);
  });

  test('for a message cannot be formatted with `own: true`', () => {
    const one: FeedEntry = { type: 'message.created', id, version: 1, at: 1, own: true };
    expect(() => formatEntry(one)).toThrow('message.created');
  });

  test.each([
    ['its type letter is unknown', `z${id}.1.1`],
    ['its id is malformed', 'aann.1.1'],
    ['it has no id', 'a'],
  ])('is rejected if %s', (_, text) => {
    expect(() => parseEntry(text)).toThrow(text);
  });

  test('has one event id in all feeds for a shared change, and an event id per owner for a change of settings', () => {
    const ofAll: FeedEntry = {
      type: 'conversation.updated',
      id: conversationId,
      version: 5,
      at: 1,
    };
    const own: FeedEntry = { ...ofAll, own: true };
    expect(toEventId(ofAll, 'ann')).toBe(toEventId(ofAll, 'bob'));
    expect(
      new Set([toEventId(ofAll, 'ann'), toEventId(own, 'ann'), toEventId(own, 'bob')]).size,
    ).toBe(3);
  });
});
