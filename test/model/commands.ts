import { expect } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  listConversations,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../shared/contract/operations.ts';
import {
  type ConversationModel,
  conversationsOf,
  conversationView,
  type MessageModel,
  type Model,
  messagesAcross,
  messagesIn,
  messageView,
  settingsOf,
  takesPart,
} from './model.ts';
import { ask, inPages, walk, withoutProfiles } from './real.ts';

type Command = fc.AsyncCommand<Model, undefined>;

/** A step of the story: it is told as it is read, and takes some time. */
const step = (
  told: string,
  elapsed: number,
  run: (model: Model) => Promise<void>,
  possible: (model: Model) => boolean = () => true,
): Command => ({
  check: (model) => possible(model),
  run: async (model) => {
    model.now += elapsed;
    await run(model);
  },
  toString: () => told,
});

const Created = v.object({ id: v.string() });

async function expectReply(
  model: Model,
  who: string,
  row: Operation,
  call: Parameters<typeof ask>[3],
  expected: number | object,
): Promise<string> {
  const { status, body } = await ask(model, who, row, call);
  if (typeof expected === 'number') expect(status).toBe(expected);
  else
    expect({ status, body: withoutProfiles(body) }).toEqual({ status: row.status, body: expected });
  return v.is(Created, body) ? body.id : '';
}

const pick = <Item>(list: Item[], n: number): Item | undefined => list[n % list.length];

/** A conversation, deleted ones too, and what the person may see of it. */
function pickConversation(model: Model, n: number): ConversationModel {
  const one = pick(model.conversations, n);
  if (!one) throw new Error('There is no conversation to pick.');
  return one;
}

const hasConversation = ({ conversations }: Model) => conversations.length > 0;
const hasMessage = ({ conversations }: Model) =>
  conversations.some((one) => one.messages.length > 0);

function pickMessage(model: Model, n: number): { one: ConversationModel; message: MessageModel } {
  const all = model.conversations.flatMap((one) =>
    one.messages.map((message) => ({ one, message })),
  );
  const picked = pick(all, n);
  if (!picked) throw new Error('There is no message to pick.');
  return picked;
}

function markRead(model: Model, message: MessageModel, who: string): boolean {
  if (message.sent_by === who || message.read_at !== undefined) return false;
  message.read_at = model.now;
  return true;
}

function noteOpening(model: Model, one: ConversationModel, who: string, news: boolean): void {
  const settings = settingsOf(one, who);
  const recently = settings.opened_at !== undefined && model.now - settings.opened_at < 60_000;
  if (news || !recently) one.settings.set(who, { ...settings, opened_at: model.now });
}

const who = fc.constantFrom('ann', 'bob', 'carl');
const group = fc.constantFrom('team', 'club');
const any = fc.nat(1000);
const limit = fc.integer({ min: 1, max: 4 });
const elapsed = fc.integer({ min: 1, max: 45_000 });

const create = fc
  .record({ by: who, contact: fc.option(who), group: fc.option(group), elapsed })
  .map(({ by, contact, group: inGroup, elapsed: time }) =>
    step(`${by} creates with ${contact} in ${inGroup}`, time, async (model) => {
      const body = { contact_id: contact, group_id: inGroup };
      const refusal =
        !contact && !inGroup
          ? 400
          : inGroup && !model.groups.get(by)?.has(inGroup)
            ? 403
            : undefined;
      if (refusal) {
        await expectReply(model, by, createConversation, { body }, refusal);
        return;
      }
      const { status, body: reply } = await ask(model, by, createConversation, { body });
      const conversation: ConversationModel = {
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
      expect({ status, reply }).toEqual({ status: 201, reply: conversationView(conversation, by) });
      model.conversations.push(conversation);
    }),
  );

const look = fc.record({ by: who, n: any, elapsed }).map(({ by, n, elapsed: time }) =>
  step(
    `${by} looks at conversation ${n}`,
    time,
    async (model) => {
      const one = pickConversation(model, n);
      const expected = takesPart(model, one, by) ? conversationView(one, by) : 404;
      const call = { path: { conversation_id: one.id } };
      await expectReply(model, by, retrieveConversation, call, expected);
    },
    hasConversation,
  ),
);

const send = fc
  .record({ by: who, n: any, text: fc.constantFrom('hello', '🦉', 'x y z'), elapsed })
  .map(({ by, n, text, elapsed: time }) =>
    step(
      `${by} sends "${text}" to conversation ${n}`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const call = { body: { conversation_id: one.id, message: text } };
        if (!takesPart(model, one, by)) {
          await expectReply(model, by, sendMessage, call, 404);
          return;
        }
        const { status, body } = await ask(model, by, sendMessage, call);
        const message: MessageModel = {
          id: v.parse(Created, body).id,
          sent_by: by,
          text,
          reactions: new Map(),
          sent_at: model.now,
          deleted: false,
        };
        expect({ status, body: withoutProfiles(body) }).toEqual({
          status: 201,
          body: messageView(one, message),
        });
        one.messages.push(message);
        one.last_message_at = model.now;
      },
      hasConversation,
    ),
  );

const edit = fc
  .record({ by: who, n: any, text: fc.constantFrom('hello', 'edited'), elapsed })
  .map(({ by, n, text, elapsed: time }) =>
    step(
      `${by} edits message ${n} to "${text}"`,
      time,
      async (model) => {
        const { one, message } = pickMessage(model, n);
        const call = { path: { message_id: message.id }, body: { message: text } };
        const seen = takesPart(model, one, by) && !message.deleted;
        const changes = message.text !== text;
        const allowed = seen && (message.sent_by === by || !changes);
        if (allowed && changes) Object.assign(message, { text, updated_at: model.now });
        const expected = allowed ? messageView(one, message) : seen ? 403 : 404;
        await expectReply(model, by, updateMessage, call, expected);
      },
      hasMessage,
    ),
  );

const react = fc
  .record({
    by: who,
    n: any,
    name: fc.constantFrom('ok', '🎉', 'toString'),
    on: fc.boolean(),
    elapsed,
  })
  .map(({ by, n, name, on, elapsed: time }) =>
    step(
      `${by} ${on ? 'reacts' : 'no longer reacts'} to message ${n} by ${name}`,
      time,
      async (model) => {
        const { one, message } = pickMessage(model, n);
        const body = { reactions: { [name]: on ? [by] : [] } };
        const call = { path: { message_id: message.id }, body };
        if (!takesPart(model, one, by) || message.deleted) {
          await expectReply(model, by, updateMessage, call, 404);
          return;
        }
        const reactors = message.reactions.get(name) ?? new Set();
        if (on) reactors.add(by);
        else reactors.delete(by);
        message.reactions.set(name, reactors);
        await expectReply(model, by, updateMessage, call, messageView(one, message));
      },
      hasMessage,
    ),
  );

const removeMessage = fc.record({ by: who, n: any, elapsed }).map(({ by, n, elapsed: time }) =>
  step(
    `${by} deletes message ${n}`,
    time,
    async (model) => {
      const { one, message } = pickMessage(model, n);
      const seen = takesPart(model, one, by) && !message.deleted;
      const own = seen && message.sent_by === by;
      if (own) {
        message.deleted = true;
        if (one.pinned === message.id) one.pinned = null;
      }
      const expected = own ? { id: message.id, deleted: true } : seen ? 403 : 404;
      await expectReply(model, by, deleteMessage, { path: { message_id: message.id } }, expected);
    },
    hasMessage,
  ),
);

const retrieve = fc.record({ by: who, n: any, elapsed }).map(({ by, n, elapsed: time }) =>
  step(
    `${by} retrieves message ${n}`,
    time,
    async (model) => {
      const { one, message } = pickMessage(model, n);
      const seen = takesPart(model, one, by) && !message.deleted;
      if (seen) markRead(model, message, by);
      const expected = seen ? messageView(one, message) : 404;
      await expectReply(model, by, retrieveMessage, { path: { message_id: message.id } }, expected);
    },
    hasMessage,
  ),
);

const listOne = fc
  .record({ by: who, n: any, limit, elapsed })
  .map(({ by, n, limit: most, elapsed: time }) =>
    step(
      `${by} lists conversation ${n}, ${most} a page`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const query = { conversation_id: one.id, limit: String(most) };
        if (!takesPart(model, one, by)) {
          await expectReply(model, by, listMessages, { query }, 404);
          return;
        }
        const shown = messagesIn(one);
        const news = shown.map((message) => markRead(model, message, by)).includes(true);
        noteOpening(model, one, by, news);
        const views = shown.map((message) => messageView(one, message));
        const pages = await walk(model, by, listMessages, query);
        expect(withoutProfiles(pages)).toEqual(inPages(views, most));
      },
      hasConversation,
    ),
  );

const listAll = fc.record({ by: who, limit, elapsed }).map(({ by, limit: most, elapsed: time }) =>
  step(`${by} lists all messages, ${most} a page`, time, async (model) => {
    const pages = await walk(model, by, listMessages, { limit: String(most) });
    expect(withoutProfiles(pages)).toEqual(inPages(messagesAcross(model, by), most));
  }),
);

const seldom = fc.constantFrom(true, false, false);
const filters = fc.record({
  muted: seldom,
  archived: seldom,
  pinned: seldom,
  group_id: fc.option(group, { freq: 2 }),
});

const listWithFilters = fc
  .record({ by: who, limit, filters, elapsed })
  .map(({ by, limit: most, filters: { group_id, ...flags }, elapsed: time }) =>
    step(
      `${by} lists conversations, ${most} a page, ${JSON.stringify(flags)} in ${group_id}`,
      time,
      async (model) => {
        const inGroup = group_id === null ? {} : { group_id };
        const expected = conversationsOf(model, by, { ...flags, ...inGroup });
        const set = Object.entries(flags).map(([name, on]) => [name, String(on)]);
        const query = { ...Object.fromEntries(set), ...inGroup, limit: String(most) };
        expect(await walk(model, by, listConversations, query)).toEqual(inPages(expected, most));
        const last = expected.at(-1);
        if (!last) return;
        const backwards = await walk(model, by, listConversations, {
          ...query,
          ending_before: last.id,
        });
        expect(backwards.flatMap(({ data }) => data.toReversed())).toEqual(
          expected.slice(0, -1).reverse(),
        );
      },
    ),
  );

const mostly = fc.constantFrom(true, true, false);
const update = fc
  .record({
    by: who,
    n: any,
    changes: fc.record(
      {
        is_pinned: mostly,
        is_muted: mostly,
        archived_at: fc.option(fc.constant(1_700_000_000)),
      },
      { requiredKeys: [] },
    ),
    pin: fc.option(fc.option(any), { nil: undefined }),
    elapsed,
  })
  .map(({ by, n, changes, pin, elapsed: time }) =>
    step(
      `${by} sets ${JSON.stringify(changes)} of conversation ${n}, and pins ${pin}`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const pinned = typeof pin === 'number' ? pick(messagesIn(one), pin)?.id : null;
        const body = {
          ...changes,
          ...(pin !== undefined && { pinned_message_id: pinned ?? null }),
        };
        const call = { path: { conversation_id: one.id }, body };
        if (!takesPart(model, one, by)) {
          await expectReply(model, by, updateConversation, call, 404);
          return;
        }
        one.settings.set(by, { ...settingsOf(one, by), ...changes });
        if (pin !== undefined) one.pinned = pinned ?? null;
        await expectReply(model, by, updateConversation, call, conversationView(one, by));
      },
      hasConversation,
    ),
  );

const removeConversation = fc.record({ by: who, n: any, elapsed }).map(({ by, n, elapsed: time }) =>
  step(
    `${by} deletes conversation ${n}`,
    time,
    async (model) => {
      const one = pickConversation(model, n);
      const seen = takesPart(model, one, by);
      const allowed = seen && (one.created_by === by || (!one.group_id && one.contact_id === by));
      if (allowed) one.deleted = true;
      const expected = allowed ? { id: one.id, deleted: true } : seen ? 403 : 404;
      const call = { path: { conversation_id: one.id } };
      await expectReply(model, by, deleteConversation, call, expected);
    },
    hasConversation,
  ),
);

const changeGroups = fc
  .record({ by: who, group, joins: fc.boolean(), elapsed })
  .map(({ by, group: name, joins, elapsed: time }) =>
    step(`${by} ${joins ? 'joins' : 'leaves'} ${name}`, time, async (model) => {
      if (joins) model.groups.get(by)?.add(name);
      else model.groups.get(by)?.delete(name);
    }),
  );

/** What fills the table. */
export const beginnings = [create, send, send, update, update];

/** Everything that people do. What fills the table is likelier than what empties it. */
export const commands = [
  ...[create, create, send, send, send],
  ...[
    look,
    edit,
    react,
    retrieve,
    listOne,
    listAll,
    listWithFilters,
    listWithFilters,
    update,
    update,
  ],
  ...[removeMessage, removeConversation, changeGroups],
];
