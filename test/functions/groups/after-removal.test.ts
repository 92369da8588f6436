import { beforeAll, describe, expect, test } from '@jest/globals';
import type { OperationId } from '../../../commands/cost/budgets.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { createAttachment, operations, sendMessage } from '../../../shared/contract/operations.ts';
import { changeConversation, create, edit, react, send } from '../../support/handlers/api-calls.ts';
import { addMember, makeGroup, removeMember } from '../../support/handlers/group-calls.ts';
import { ok, request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor } from '../../support/handlers/list-events.ts';
import { person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

const [owner, eve] = [person('olga-owner'), person('eve')];
const business = createBusinessRecord('kiosk');

interface Target {
  group_id: string;
  conversation_id: string;
  /** Id of the owner's first message. */
  message_id: string;
  /** Id of the removed member's message. */
  own_message_id: string;
  attachment_id: string;
  /** Cursor from before the first message. */
  cursor: string;
}

interface Attempt {
  query?: Record<string, string | string[]>;
  body?: object;
  headers?: Record<string, string>;
  path?: Record<string, string>;
  /** Expected statuses: `lists` if the reply only omits the group after the removal. */
  statuses: [member: number, removed: number];
}

type Attempts = (target: Target) => Record<string, Attempt>;

/** Marks an operation that neither returns nor changes data of an existing group. */
const ofNoGroup = 'of no group';

const lists: Attempt['statuses'] = [200, 200];
const found: Attempt['statuses'] = [200, 404];

/** The removed member's requests, by operation. */
const attempts: Record<OperationId, Attempts | typeof ofNoGroup> = {
  'messages/send': (target) => ({
    'a message': { body: { ...inConversation(target), message: 'Hi' }, statuses: [201, 404] },
    'a message with an Idempotency-Key': {
      body: { ...inConversation(target), message: 'Hi' },
      headers: { 'Idempotency-Key': `key-${Math.random()}` },
      statuses: [201, 404],
    },
    'a reply, repeated with its Idempotency-Key': {
      body: reply(target),
      headers: { 'Idempotency-Key': 'of-before' },
      query: { expand: 'reply_to' },
      statuses: [201, 201],
    },
  }),
  'messages/list': (target) => ({
    'of the conversation': { query: inConversation(target), statuses: found },
    'of the conversation, with peek': {
      query: { ...inConversation(target), peek: 'true' },
      statuses: found,
    },
    'of all conversations': { query: { expand: ['reply_to'] }, statuses: lists },
  }),
  'messages/retrieve': (target) => ({
    'of the owner': { path: pick(target, 'message_id'), statuses: found },
    'of the owner, with peek': {
      path: pick(target, 'message_id'),
      query: { peek: 'true' },
      statuses: found,
    },
    'of the member': { path: { message_id: target.own_message_id }, statuses: found },
  }),
  'messages/update': (target) => ({
    'the caller’s own text': {
      path: { message_id: target.own_message_id },
      body: { message: 'Changed' },
      statuses: found,
    },
    'a reaction': {
      path: pick(target, 'message_id'),
      body: { reactions: { ok: ['eve'] } },
      statuses: found,
    },
    'with If-Match': {
      path: { message_id: target.own_message_id },
      body: { message: 'Changed' },
      headers: { 'If-Match': '*' },
      statuses: found,
    },
  }),
  'messages/delete': (target) => ({
    'of the owner': { path: pick(target, 'message_id'), statuses: [403, 404] },
    'with If-Match': {
      path: pick(target, 'message_id'),
      headers: { 'If-Match': '*' },
      statuses: [403, 404],
    },
  }),
  'attachments/create': (target) => ({
    '': {
      body: {
        ...{ ...inConversation(target), name: 'a.png', type: 'image/png', size: 1 },
        sha256: '0'.repeat(43).concat('='),
      },
      statuses: [201, 404],
    },
  }),
  'attachments/retrieve': (target) => ({
    'of the member, unsent': { path: pick(target, 'attachment_id'), statuses: [302, 404] },
  }),
  'conversations/create': ({ group_id }) => ({
    'in the group': { body: { group_id }, statuses: [201, 403] },
    'in the group, with a contact': {
      body: { group_id, contact_id: 'bob' },
      statuses: [201, 403],
    },
  }),
  'conversations/retrieve': (target) => ({
    '': { path: inConversation(target), statuses: found },
    expanded: {
      path: inConversation(target),
      query: { expand: ['last_message', 'unread_count', 'mentioned'] },
      statuses: found,
    },
  }),
  'conversations/list': ({ group_id }) => ({
    'of all': { statuses: lists },
    expanded: { query: { expand: ['last_message', 'unread_count'] }, statuses: lists },
    'of the group': { query: { group_id }, statuses: lists },
    'with a flag': { query: { muted: 'true' }, statuses: lists },
    'with a flag, of the group': { query: { muted: 'true', group_id }, statuses: lists },
    'without archived ones': { query: { 'exclude[]': 'archived' }, statuses: lists },
  }),
  'conversations/update': (target) => ({
    'the flags': { path: inConversation(target), body: { is_muted: true }, statuses: found },
    'the pinned message': {
      path: inConversation(target),
      body: { pinned_message_id: target.message_id },
      statuses: found,
    },
    'the last read message': {
      path: inConversation(target),
      body: { last_read_message_id: target.message_id },
      statuses: found,
    },
    nothing: { path: inConversation(target), body: {}, statuses: found },
  }),
  'conversations/delete': (target) => ({
    '': { path: inConversation(target), statuses: [403, 404] },
    'with If-Match': {
      path: inConversation(target),
      headers: { 'If-Match': '*' },
      statuses: [403, 404],
    },
  }),
  'readers/list': (target) => ({ '': { path: inConversation(target), statuses: found } }),
  'contacts/retrieve': () => ({ 'the owner': { path: { contact_id: owner.id }, statuses: found } }),
  'reports/create': ({ message_id }) => ({
    'the message': { body: { message_id, reason: 'spam' }, statuses: [201, 404] },
    'the owner': { body: { contact_id: owner.id, reason: 'spam' }, statuses: [201, 404] },
  }),
  'events/list': ({ cursor }) => ({
    'from the start': { statuses: lists },
    'from an earlier cursor': { query: { starting_after: cursor }, statuses: lists },
  }),
  'live/retrieve': () => ({ '': { statuses: lists } }),
  'groups/create': ofNoGroup,
  'groups/list': () => ({ '': { statuses: lists } }),
  'groups/retrieve': (target) => ({ '': { path: pick(target, 'group_id'), statuses: found } }),
  'groups/update': (target) => ({
    '': { path: pick(target, 'group_id'), body: { title: 'Mine' }, statuses: [403, 404] },
  }),
  'groups/delete': (target) => ({
    '': { path: pick(target, 'group_id'), statuses: [403, 404] },
  }),
  'members/list': (target) => ({ '': { path: pick(target, 'group_id'), statuses: found } }),
  'members/put': (target) => ({
    '': {
      path: { ...pick(target, 'group_id'), contact_id: 'bob' },
      body: {},
      statuses: [403, 404],
    },
    'of the caller’s own membership': {
      path: { ...pick(target, 'group_id'), contact_id: 'eve' },
      body: {},
      statuses: [403, 404],
    },
  }),
  'members/remove': (target) => ({
    'the owner': {
      path: { ...pick(target, 'group_id'), contact_id: owner.id },
      statuses: [403, 404],
    },
  }),
  'settings/retrieve': ofNoGroup,
  'settings/update': ofNoGroup,
  'blocks/create': ofNoGroup,
  'blocks/delete': ofNoGroup,
  'blocks/list': ofNoGroup,
  'business/list': ofNoGroup,
  'business/retrieve': ofNoGroup,
};

const inConversation = ({ conversation_id }: Target) => ({ conversation_id });
const reply = ({ conversation_id, message_id: reply_to_id }: Target) => ({
  ...{ conversation_id, reply_to_id, message: 'I agree' },
});
const pick = <Name extends keyof Target>(target: Target, name: Name) => ({ [name]: target[name] });

const rows: readonly Operation[] = operations;
const cells = rows.flatMap((row) => {
  const attempt = attempts[row.id as OperationId];
  return attempt === ofNoGroup ? [] : [[row.id, row, attempt] as const];
});

describe('A removed member of a user group', () => {
  let target: Target;
  /** Operations whose replies to a member contain group data that is not in the request. */
  const showing = [
    ...['conversations/list', 'conversations/retrieve', 'conversations/update', 'events/list'],
    ...['groups/list', 'groups/retrieve', 'live/retrieve', 'members/list', 'messages/list'],
    ...['messages/retrieve', 'messages/send', 'messages/update'],
  ];
  const secretTitle = 'Secret club';
  const secretText = 'Only members may read this';

  beforeAll(async () => {
    await seedBusinesses(business);
    const { id: group_id } = await makeGroup(owner, [eve], secretTitle);
    const { id: conversation_id } = await create(owner, { group_id });
    const cursor = await getLiveCursor(eve);
    const { id: message_id } = await send(owner, conversation_id, 'First', { mentions: ['eve'] });
    const own = await send(eve, conversation_id, 'Mine', { reply_to_id: message_id });
    await changeConversation(eve, conversation_id, { is_muted: true });
    await react(eve, message_id, { ok: ['eve'] });
    const upload = await ok(createAttachment, {
      as: eve,
      body: {
        ...{ conversation_id, name: 'a.png', type: 'image/png', size: 1 },
        sha256: '0'.repeat(43).concat('='),
      },
    });
    target = {
      ...{ group_id, conversation_id, message_id, own_message_id: own.id },
      ...{ attachment_id: upload.id, cursor },
    };
    const headers = { 'Idempotency-Key': 'of-before' };
    await ok(sendMessage, { as: eve, headers, body: reply(target), query: { expand: 'reply_to' } });
    await edit(owner, message_id, { message: secretText });
    await send(owner, conversation_id, secretText);
    await publishAll();
  });

  const attemptAll = async (row: Operation, act: Attempts, index: 0 | 1) => {
    const secrets = [target.conversation_id, secretText, secretTitle, `"${owner.id}"`];
    // The removed member's own feed contains the removal, with the group's id.
    if (row.id !== 'events/list') secrets.push(target.group_id);
    const outcomes: [string, number][] = [];
    const shown = new Set<string>();
    for (const [name, { statuses, ...call }] of Object.entries(act(target))) {
      const { status, body } = await request(row, { as: eve, ...call });
      outcomes.push([name, status]);
      const [requestText, reply] = [JSON.stringify(call), JSON.stringify(body)];
      for (const one of secrets)
        if (!requestText.includes(one) && reply.includes(one)) shown.add(one);
    }
    const expected = Object.entries(act(target)).map(([name, one]) => [name, one.statuses[index]]);
    expect(outcomes).toEqual(expected);
    return [...shown];
  };

  test.each(cells)(
    'receives no group data from %s until they are added again',
    async (_, row, act) => {
      await removeMember(owner, target.group_id, eve);
      const shown = await attemptAll(row, act, 1);
      await addMember(owner, target.group_id, eve);
      expect(shown).toEqual([]);
      const shownToMember = await attemptAll(row, act, 0);
      expect(shownToMember.length > 0).toBe(showing.includes(row.id));
    },
  );
});
