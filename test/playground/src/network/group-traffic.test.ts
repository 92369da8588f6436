import { describe, expect, test } from '@jest/globals';
import { describeRequest } from '../../../../playground/src/network/describe-request.ts';
import { groupTraffic } from '../../../../playground/src/network/group-traffic.ts';
import type { Entry, Side } from '../../../../playground/src/network/traffic.ts';

const at = (seconds: number) => new Date(seconds * 1000);

const request = (
  number: number,
  side: Side,
  [method, path]: readonly [method: string, path: string],
  { body, reply, seconds = 0 }: { body?: object; reply?: object; seconds?: number } = {},
): Entry => ({
  kind: 'request',
  number,
  side,
  method,
  path: `/v1/${path}`,
  body: body && JSON.stringify(body),
  curl: '',
  at: at(seconds),
  outcome: {
    status: 200,
    milliseconds: 1,
    reply: JSON.stringify(reply ?? {}),
    requestId: undefined,
  },
});

const push = (number: number, side: Side, type: string, payload: object | null, seconds = 0) =>
  ({
    kind: 'push',
    number,
    side,
    type,
    text: JSON.stringify({ type, payload }),
    at: at(seconds),
  }) satisfies Entry;

const send = (number: number, side: Side, id: string) =>
  request(number, side, ['POST', 'messages'], {
    body: { conversation_id: 'c', message: 'Hi' },
    reply: { id, conversation_id: 'c' },
  });

/** Groups entries, which must be sorted from oldest to newest. */
const summarize = (entries: readonly Entry[]) =>
  groupTraffic(entries.toReversed()).map(({ side, action, entries: members }) => [
    `${side} ${action}`,
    members.map(({ number }) => number),
  ]);

describe('groupTraffic', () => {
  test('assigns the pushes of concurrent sends to their requests', () => {
    const created = (id: string) => ({ id, conversation_id: 'c' });
    const entries = [
      send(1, 'left', 'm1'),
      send(2, 'right', 'm2'),
      push(3, 'right', 'message.created', created('m1')),
      push(4, 'left', 'message.created', created('m2')),
      push(5, 'left', 'message.created', created('m1')),
    ];
    expect(summarize(entries)).toEqual([
      ['right sends a message', [2, 4]],
      ['left sends a message', [1, 3, 5]],
    ]);
  });

  test('assigns a push of a read mark to the request that marked the message', () => {
    const reading = request(2, 'right', ['PUT', 'conversations/c'], {
      body: { last_read_message_id: 'm1' },
    });
    const read = push(3, 'left', 'message.updated', { id: 'm1', conversation_id: 'c' });
    expect(summarize([send(1, 'left', 'm1'), reading, read])).toEqual([
      ['right reads messages', [2, 3]],
      ['left sends a message', [1]],
    ]);
  });

  test('groups the requests that load a user’s inbox', () => {
    const paths = ['live', 'conversations', 'events'];
    const entries = paths.flatMap((path, n) => [
      request(2 * n, 'left', ['GET', path]),
      request(2 * n + 1, 'right', ['GET', path]),
    ]);
    expect(summarize(entries)).toEqual([
      ['right loads the inbox', [1, 3, 5]],
      ['left loads the inbox', [0, 2, 4]],
    ]);
  });

  test('shows a push as a separate action if no recent action caused it', () => {
    const late = push(2, 'left', 'message.created', { id: 'm9', conversation_id: 'c' }, 60);
    expect(summarize([send(1, 'right', 'm1'), late])).toEqual([
      ['left receives an event', [2]],
      ['right sends a message', [1]],
    ]);
  });

  test('assigns a push without a payload to the newest action', () => {
    const flags = push(2, 'left', 'conversation.updated', null, 4);
    expect(summarize([send(1, 'left', 'm1'), flags])).toEqual([['left sends a message', [1, 2]]]);
  });
});

test.each([
  ['PUT', 'messages/m', { reactions: { '👍': ['ann'] } }, 'reacts to a message'],
  ['PUT', 'messages/m', { message: 'New' }, 'edits a message'],
  ['PUT', 'conversations/c', { pinned_message_id: null }, 'unpins a message'],
  ['PUT', 'conversations/c', { is_muted: true }, 'mutes a conversation'],
  ['PUT', 'conversations/c', { archived_at: 1 }, 'archives a conversation'],
  ['PUT', 'conversations/c', { assigned_to: 'ann' }, 'assigns a conversation'],
  ['PUT', 'conversations/c', { assigned_to: null }, 'unassigns a conversation'],
  ['PUT', 'blocks/bob', undefined, 'blocks a contact'],
  ['DELETE', 'blocks/bob', undefined, 'unblocks a contact'],
  ['POST', 'reports', { message_id: 'm', reason: 'spam' }, 'reports content'],
  ['PUT', 'conversations/c', { mark_unread_from: 'm' }, 'marks messages as unread'],
  ['GET', 'conversations/c/readers', undefined, 'lists readers'],
  ['GET', 'messages?conversation_id=c', undefined, 'opens a conversation'],
  ['GET', 'messages?conversation_id=c&starting_after=m', undefined, 'loads earlier messages'],
] as const)('For %s %s %j, describeRequest returns “%s”', (method, path, body, words) => {
  const request = { method, path: `/v1/${path}`, body: body && JSON.stringify(body) };
  expect(describeRequest(request)).toBe(words);
});
