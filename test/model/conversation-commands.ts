import { expect } from '@jest/globals';
import * as v from 'valibot';
import { toSeconds } from '../../shared/clock.ts';
import {
  createBlock,
  createConversation,
  deleteBlock,
  deleteConversation,
  listBlocks,
  listConversations as listConversationsRow,
  listReaders,
  retrieveContact,
  retrieveConversation,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { canDelete, getRefusalStatus } from '../response-invariants/permissions.ts';
import fc from '../support/setup/fast-check.ts';
import {
  Created,
  elapsed,
  expectReply,
  group,
  hasConversation,
  limit,
  markRead,
  pick,
  pickConversation,
  pickNumber,
  recordOpening,
  step,
  user,
} from './model-step.ts';
import { callService, toPages, walkPages, withoutProfiles } from './service.ts';
import {
  type ConversationModel,
  canSee,
  findDistinct,
  getMessages,
  getSettings,
  isBlocked,
  isBlocking,
  listConversations,
  type MessageModel,
  type Model,
  recordContactActivity,
  recordDistinct,
  toCaller,
  toContactView,
  toExpandedView,
} from './service-model.ts';

const expand = fc.subarray(['contact', 'last_message', 'unread_count']);
/** Numbers the parameters (`expand[0]`), because a parsed query has only one value per name. */
const asQuery = (words: string[], name = 'expand') =>
  Object.fromEntries(words.map((word, n) => [`${name}[${n}]`, word]));

export const create = fc
  .record({
    by: user,
    contact: fc.option(user),
    group: fc.option(group, { freq: 1 }),
    distinct: fc.boolean(),
    expand,
    elapsed,
  })
  .map(({ by, contact, group: inGroup, distinct, expand: words, elapsed: time }) =>
    step(
      `${by} creates a ${distinct ? 'distinct ' : ''}conversation with ${contact} in ${inGroup}`,
      time,
      async (model) => {
        const body = { contact_id: contact, group_id: inGroup, distinct };
        const call = { query: asQuery(words), body };
        const refusal =
          (!contact && !inGroup) || (distinct && inGroup)
            ? 400
            : inGroup && !model.groups.get(by)?.has(inGroup)
              ? 403
              : isBlocked(model, { created_by: by, contact_id: contact, group_id: inGroup })
                ? 403
                : undefined;
        if (refusal) {
          if (refusal === 403 && distinct) recordContactActivity(model, by);
          await expectReply(model, by, createConversation, call, refusal);
          return;
        }
        recordContactActivity(model, by);
        const found = distinct && contact ? findDistinct(model, [by, contact]) : undefined;
        const { status, body: reply } = await callService(model, by, createConversation, call);
        const conversation = found ?? {
          id: v.parse(Created, reply).id,
          created_by: by,
          contact_id: contact,
          group_id: inGroup,
          created_at: model.now,
          pinned: null,
          deleted: false,
          settings: new Map(),
          messages: [],
        };
        if (!found) model.conversations.push(conversation);
        if (distinct) recordDistinct(model, conversation);
        expect({ status, reply: withoutProfiles(reply) }).toEqual({
          status: found ? 200 : 201,
          reply: toExpandedView(conversation, by, words),
        });
      },
    ),
  );

export const retrieve = fc
  .record({ by: user, n: pickNumber, expand, elapsed })
  .map(({ by, n, expand: words, elapsed: time }) =>
    step(
      `${by} retrieves conversation ${n} with ${words}`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const expected = canSee(model, one, by) ? toExpandedView(one, by, words) : 404;
        const call = { path: { conversation_id: one.id }, query: asQuery(words) };
        await expectReply(model, by, retrieveConversation, call, expected);
      },
      hasConversation,
    ),
  );

const rarelyTrue = fc.constantFrom(true, false, false);

const filters = fc.record({
  muted: rarelyTrue,
  archived: rarelyTrue,
  pinned: rarelyTrue,
  group_id: fc.option(group, { freq: 2 }),
  contact_id: fc.option(user, { freq: 2 }),
  exclude: fc.subarray(['muted', 'archived', 'pinned']),
});

export const listWithFilters = fc
  .record({ by: user, limit, filters, expand, elapsed })
  .map(({ by, limit: pageLimit, filters: drawn, expand: words, elapsed: time }) =>
    step(
      `${by} lists conversations with ${words}, ${pageLimit} a page, ${JSON.stringify(drawn)}`,
      time,
      async (model) => {
        const { group_id, contact_id, exclude: excluded, ...flags } = drawn;
        const set = Object.entries(flags).map(([name, on]) => [name, String(on)]);
        const exclude = excluded.filter(
          (name) => !set.some(([flag, on]) => flag === name && on === 'true'),
        );
        const ids = { ...(group_id && { group_id }), ...(contact_id && { contact_id }) };
        const expected = listConversations(model, by, { ...flags, ...ids, exclude }, words);
        const query = {
          ...Object.fromEntries(set),
          ...ids,
          ...asQuery(exclude, 'exclude'),
          ...asQuery(words),
          limit: String(pageLimit),
        };
        const pages = await walkPages(model, by, listConversationsRow, query);
        expect(withoutProfiles(pages)).toEqual(toPages(expected, pageLimit));
        const last = expected.at(-1);
        if (!last) return;
        const backwards = await walkPages(model, by, listConversationsRow, {
          ...query,
          ending_before: last.id,
        });
        const upwards = backwards.flatMap(({ data }) => data.toReversed());
        expect(withoutProfiles(upwards)).toEqual(expected.slice(0, -1).reverse());
      },
    ),
  );

const mostlyTrue = fc.constantFrom(true, true, false);

const readField = ['last_read_message_id'];
const unreadField = ['mark_unread_from'];
const both = [...readField, ...unreadField];
const positionFields = fc.constantFrom([], readField, readField, unreadField, unreadField, both);

export const update = fc
  .record({
    by: user,
    n: pickNumber,
    changes: fc.record(
      {
        is_pinned: mostlyTrue,
        is_muted: mostlyTrue,
        archived_at: fc.option(fc.constant(1_700_000_000)),
      },
      { requiredKeys: [] },
    ),
    pin: fc.option(fc.option(pickNumber), { nil: undefined }),
    position: fc.record({ n: pickNumber, fields: positionFields }),
    expand,
    elapsed,
  })
  .map(({ by, n, changes, pin, position, expand: words, elapsed: time }) =>
    step(
      `${by} sets ${JSON.stringify(changes)} of conversation ${n}, pins ${pin}, ${position.fields} ${position.n}`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const pinned = typeof pin === 'number' ? pick(getMessages(one), pin)?.id : null;
        const message = pick(one.messages, position.n);
        const last = position.fields.includes('last_read_message_id') ? message : undefined;
        const first = position.fields.includes('mark_unread_from') ? message : undefined;
        const body = {
          ...changes,
          ...(pin !== undefined && { pinned_message_id: pinned ?? null }),
          ...(last && { last_read_message_id: last.id }),
          ...(first && { mark_unread_from: first.id }),
        };
        const call = { path: { conversation_id: one.id }, query: asQuery(words), body };
        const changesPin = pin !== undefined && (pinned ?? null) !== one.pinned;
        const mayPin = !changesPin || !isBlocked(model, one);
        const refusal = last && first ? 400 : getRefusalStatus(canSee(model, one, by), mayPin);
        if (refusal) {
          await expectReply(model, by, updateConversation, call, refusal);
          return;
        }
        one.settings.set(by, { ...getSettings(one, by), ...changes });
        if (pin !== undefined) one.pinned = pinned ?? null;
        if (last) markReadUpTo(model, one, by, last);
        if (first) markUnreadFrom(one, by, first);
        await expectReply(model, by, updateConversation, call, toExpandedView(one, by, words));
        await expectReaders(model, by, one, 3);
      },
      hasConversation,
    ),
  );

/**
 * Marks all messages up to `last` as read, even if `last` is deleted. The service marks at most 100
 * messages, which is more than a scenario sends.
 */
function markReadUpTo(model: Model, one: ConversationModel, by: string, last: MessageModel): void {
  const upTo = one.messages.slice(0, one.messages.indexOf(last) + 1);
  recordOpening(model, one, by, { sequence: upTo.length, hasNewReads: false });
  for (const message of upTo) if (!message.deleted) markRead(model, one, message, by);
}

function markUnreadFrom(one: ConversationModel, by: string, first: MessageModel): void {
  const settings = getSettings(one, by);
  const { read_sequence: before = 0, max_read_sequence = 0 } = settings;
  const read_sequence = Math.min(before, one.messages.indexOf(first));
  const max = Math.max(before, max_read_sequence);
  one.settings.set(by, { ...settings, read_sequence, max_read_sequence: max });
}

export const findReaders = fc
  .record({ by: user, n: pickNumber, limit, elapsed })
  .map(({ by, n, limit: pageLimit, elapsed: time }) =>
    step(
      `${by} lists ${pageLimit} readers of conversation ${n}`,
      time,
      async (model) => {
        await expectReaders(model, by, pickConversation(model, n), pageLimit);
      },
      hasConversation,
    ),
  );

function expectReaders(model: Model, by: string, one: ConversationModel, pageLimit: number) {
  const readers = toReaders(one).filter(
    ({ contact_id }) => !isHiddenFrom(model, one, by, contact_id),
  );
  const page = { has_more: readers.length > pageLimit, data: readers.slice(0, pageLimit) };
  const call = { path: { conversation_id: one.id }, query: { limit: String(pageLimit) } };
  return expectReply(model, by, listReaders, call, canSee(model, one, by) ? page : 404);
}

/**
 * Reports whether the caller's list of readers omits `other`. In a direct conversation, the list
 * omits a contact whom the caller blocks.
 */
const isHiddenFrom = (model: Model, { group_id }: ConversationModel, by: string, other: string) =>
  group_id === null && isBlocking(model, by, other);

const toReaders = ({ settings, messages }: ConversationModel) =>
  [...settings]
    .flatMap(([id, { opened_at, read_sequence = 0, max_read_sequence = 0 }]) => {
      const read = messages.slice(0, Math.max(read_sequence, max_read_sequence));
      const last = read.findLast(({ deleted }) => !deleted);
      return opened_at === undefined ? [] : [{ id, opened_at, last: last?.id ?? null }];
    })
    .sort((a, b) => b.opened_at - a.opened_at)
    .map(({ id, opened_at, last }) => ({
      contact_id: id,
      last_read_message_id: last,
      last_opened_at: toSeconds(opened_at),
    }));

export const removeConversation = fc
  .record({ by: user, n: pickNumber, elapsed })
  .map(({ by, n, elapsed: time }) =>
    step(
      `${by} deletes conversation ${n}`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const seen = canSee(model, one, by);
        const refusal = getRefusalStatus(
          seen,
          canDelete(one, toCaller(model, by)) && !isBlocked(model, one),
        );
        if (!refusal) one.deleted = true;
        const expected = refusal ?? { id: one.id, deleted: true };
        const call = { path: { conversation_id: one.id } };
        await expectReply(model, by, deleteConversation, call, expected);
      },
      hasConversation,
    ),
  );

export const findContact = fc
  .record({ by: user, id: fc.oneof(user, fc.constant('unknown')), elapsed })
  .map(({ by, id, elapsed: time }) =>
    step(`${by} retrieves contact ${id}`, time, async (model) => {
      const expected = toContactView(model, by, id) ?? 404;
      await expectReply(model, by, retrieveContact, { path: { contact_id: id } }, expected);
    }),
  );

export const block = fc
  .record({ by: user, other: user, blocks: fc.boolean(), elapsed })
  .map(({ by, other, blocks, elapsed: time }) =>
    step(`${by} ${blocks ? 'blocks' : 'unblocks'} ${other}`, time, async (model) => {
      const call = { path: { contact_id: other } };
      const own = model.blocks.get(by) ?? new Map<string, number>();
      model.blocks.set(by, own);
      if (!blocks) {
        const expected = own.delete(other) ? { id: other, deleted: true } : 404;
        await expectReply(model, by, deleteBlock, call, expected);
        return;
      }
      if (by !== other) {
        recordContactActivity(model, by);
        own.set(other, own.get(other) ?? model.now);
      }
      const view = toBlockViews(own).find(({ contact_id }) => contact_id === other);
      await expectReply(model, by, createBlock, call, view ?? 400);
      const page = { has_more: false, data: toBlockViews(own) };
      await expectReply(model, by, listBlocks, {}, page);
    }),
  );

const toBlockViews = (blocks: Map<string, number>) =>
  [...blocks]
    .sort(([, a], [, b]) => b - a)
    .map(([contact_id, at]) => ({ contact_id, created_at: toSeconds(at) }));

export const changeGroups = fc
  .record({ by: user, group, joins: fc.boolean(), elapsed })
  .map(({ by, group: name, joins, elapsed: time }) =>
    step(`${by} ${joins ? 'joins' : 'leaves'} ${name}`, time, async (model) => {
      if (joins) model.groups.get(by)?.add(name);
      else model.groups.get(by)?.delete(name);
    }),
  );
