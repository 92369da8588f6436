import { describe, expect, test } from '@jest/globals';
import { type Inbox, toFeedName } from '../../../../../shared/inbox.ts';
import { maxEntriesPerChunk } from '../../../../../shared/table/feed/feed-chunk.ts';
import {
  type FeedPosition,
  formatCursor,
  parseCursor,
} from '../../../../../shared/table/feed/read/feed-cursor.ts';
import fc from '../../../../support/setup/fast-check.ts';

const own: Inbox = { kind: 'contact', id: 'ann' };
const team: Inbox = { kind: 'group', id: 'team' };
const inboxes = [own, team];

const cursorAt = (...positions: FeedPosition[]) => ({
  epoch: 3,
  positions: new Map(positions.map((one, n) => [toFeedName(inboxes[n] ?? own), one])),
});
const textAt = (...positions: FeedPosition[]) => formatCursor(cursorAt(...positions), 'ann');
const outcome = (text: string, reader = 'ann', readerInboxes = inboxes) =>
  parseCursor(text, reader, readerInboxes).outcome;

const start = { next: 1, chunk: 1 };
const invalid = 'invalid';

describe('A feed cursor', () => {
  test('can be parsed for the reader that received it, at any sequence number', () => {
    const position = fc
      .record({
        chunk: fc.oneof(fc.integer({ min: 1, max: 2 ** 46 }), fc.constantFrom(1, 127, 128, 129)),
        read: fc.integer({ min: 0, max: maxEntriesPerChunk }),
      })
      .map(({ chunk, read }) => ({ chunk, next: chunk + read }));
    fc.assert(
      fc.property(fc.nat(), position, position, (epoch, one, other) => {
        const cursor = { ...cursorAt(one, other), epoch };
        const read = parseCursor(formatCursor(cursor, 'ann'), 'ann', inboxes);
        expect(read).toEqual({ outcome: 'valid', cursor, joined: [] });
      }),
    );
  });

  test('has expired if the reader’s token has since gained a group, and is valid if the token has since lost a group', () => {
    expect(outcome(textAt(start))).toBe('expired');
    expect(parseCursor(textAt(start, start), 'ann', [own])).toEqual({
      outcome: 'valid',
      cursor: cursorAt(start),
      joined: [],
    });
  });

  test('is valid if the reader has since joined a user group, and parsing returns that group', () => {
    const hiking: Inbox = { kind: 'group', id: 'grp_01KDWCJ2M0QFF02HK5NJZ6SR6E' };
    expect(parseCursor(textAt(start, start), 'ann', [own, hiking, team])).toEqual({
      outcome: 'valid',
      cursor: cursorAt(start, start),
      joined: [hiking],
    });
  });

  test('is invalid for another contact', () => {
    expect(outcome(textAt(start, start), 'bob')).toBe(invalid);
  });

  test.each<[string, FeedPosition]>([
    ['before the first', { next: 0, chunk: 0 }],
    ['in a chunk before the first', { next: 1, chunk: 0 }],
    ['beyond the end of a chunk', { next: maxEntriesPerChunk + 2, chunk: 1 }],
  ])('is invalid with a sequence number %s', (_, position) => {
    expect(outcome(textAt(start, position))).toBe(invalid);
  });

  test('is invalid if bytes are missing or added, and expired if a whole feed is missing', () => {
    const whole = Buffer.from(textAt(start, start), 'base64url');
    const head = whole.length - 2 * 8;
    const outcomes = Array.from({ length: whole.length - head }, (_, n) =>
      outcome(whole.subarray(0, head + n).toString('base64url')),
    );
    // A cursor cut exactly before a feed is well-formed but lacks that feed.
    const entire = [0, 8];
    expect(outcomes).toEqual(outcomes.map((_, n) => (entire.includes(n) ? 'expired' : invalid)));
    expect(outcome(Buffer.concat([whole, Buffer.from([0])]).toString('base64url'))).toBe(invalid);
  });

  test('is invalid with an unterminated number', () => {
    const whole = Buffer.from(textAt(start, start), 'base64url');
    const endless = Buffer.concat([whole.subarray(0, -2), Buffer.alloc(12, 0xff)]);
    expect(outcome(endless.toString('base64url'))).toBe(invalid);
  });

  test.each(['epoch', 'sequence number'])('is invalid with an overlong %s', (part) => {
    const whole = Buffer.from(textAt(start, start), 'base64url');
    const tooLong = Buffer.alloc(7, 0xff);
    const [epochAt, nextAt] = [11, whole.length - 2];
    const at = part === 'epoch' ? epochAt : nextAt;
    const forged = Buffer.concat([whole.subarray(0, at), tooLong, whole.subarray(at + 1)]);
    expect(outcome(forged.toString('base64url'))).toBe(invalid);
  });

  test('is invalid if its text is empty, padded or changed', () => {
    const text = textAt(start, start);
    for (const other of ['', `${text}=`, `${text}.`, ` ${text}`, text.replace(/^A/, 'I')]) {
      expect(outcome(other)).toBe(invalid);
    }
  });
});
