import { expect } from '@jest/globals';
import * as v from 'valibot';
import {
  deleteMessage,
  listMessages,
  retrieveMessage,
  sendMessage,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { getRefusalStatus, isOwn } from '../response-invariants/permissions.ts';
import fc from '../support/setup/fast-check.ts';
import {
  Created,
  elapsed,
  expectReply,
  hasConversation,
  hasMessage,
  limit,
  markRead,
  pickConversation,
  pickMessage,
  pickNumber,
  recordOpening,
  step,
  user,
} from './model-step.ts';
import { callService, toPages, walkPages, withoutProfiles } from './service.ts';
import {
  canSee,
  getAllMessages,
  getMessages,
  isBlocked,
  type MessageModel,
  recordContactActivity,
  toMessageView,
} from './service-model.ts';

const peek = fc.constantFrom(true, false, false);

export const send = fc
  .record({ by: user, n: pickNumber, text: fc.constantFrom('hello', '🦉', 'x y z'), elapsed })
  .map(({ by, n, text, elapsed: time }) =>
    step(
      `${by} sends "${text}" to conversation ${n}`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const call = { body: { conversation_id: one.id, message: text } };
        const refusal = getRefusalStatus(canSee(model, one, by), !isBlocked(model, one));
        if (refusal) {
          await expectReply(model, by, sendMessage, call, refusal);
          return;
        }
        recordContactActivity(model, by);
        const { status, body } = await callService(model, by, sendMessage, call);
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
          body: toMessageView(one, message, by),
        });
        one.messages.push(message);
        one.last_message_at = model.now;
      },
      hasConversation,
    ),
  );

export const edit = fc
  .record({ by: user, n: pickNumber, text: fc.constantFrom('hello', 'edited'), elapsed })
  .map(({ by, n, text, elapsed: time }) =>
    step(
      `${by} edits message ${n} to "${text}"`,
      time,
      async (model) => {
        const { one, message } = pickMessage(model, n);
        const call = { path: { message_id: message.id }, body: { message: text } };
        const mayWrite = !isBlocked(model, one);
        if (canSee(model, one, by) && mayWrite) recordContactActivity(model, by);
        const seen = canSee(model, one, by) && !message.deleted;
        const changes = message.text !== text;
        const refusal = getRefusalStatus(seen, mayWrite && (isOwn(message, by) || !changes));
        if (!refusal && changes) Object.assign(message, { text, updated_at: model.now });
        const expected = refusal ?? toMessageView(one, message, by);
        await expectReply(model, by, updateMessage, call, expected);
      },
      hasMessage,
    ),
  );

export const react = fc
  .record({
    by: user,
    n: pickNumber,
    // The last two names are canonically equivalent.
    name: fc.constantFrom('ok', '🎉', 'toString', 'é', 'e\u0301'),
    on: fc.boolean(),
    elapsed,
  })
  .map(({ by, n, name, on, elapsed: time }) =>
    step(
      `${by} ${on ? 'reacts' : 'no longer reacts'} to message ${n} with ${name}`,
      time,
      async (model) => {
        const { one, message } = pickMessage(model, n);
        const body = { reactions: { [name]: on ? [by] : [] } };
        const call = { path: { message_id: message.id }, body };
        const mayWrite = !isBlocked(model, one);
        if (canSee(model, one, by) && mayWrite) recordContactActivity(model, by);
        const refusal = getRefusalStatus(canSee(model, one, by) && !message.deleted, mayWrite);
        if (refusal) {
          await expectReply(model, by, updateMessage, call, refusal);
          return;
        }
        const composed = name.normalize('NFC');
        const reactors = message.reactions.get(composed) ?? new Set();
        if (on) reactors.add(by);
        else reactors.delete(by);
        message.reactions.set(composed, reactors);
        await expectReply(model, by, updateMessage, call, toMessageView(one, message, by));
      },
      hasMessage,
    ),
  );

export const removeMessage = fc
  .record({ by: user, n: pickNumber, elapsed })
  .map(({ by, n, elapsed: time }) =>
    step(
      `${by} deletes message ${n}`,
      time,
      async (model) => {
        const { one, message } = pickMessage(model, n);
        const seen = canSee(model, one, by) && !message.deleted;
        const refusal = getRefusalStatus(seen, isOwn(message, by) && !isBlocked(model, one));
        if (!refusal) {
          message.deleted = true;
          if (one.pinned === message.id) one.pinned = null;
        }
        const expected = refusal ?? { id: message.id, deleted: true };
        await expectReply(model, by, deleteMessage, { path: { message_id: message.id } }, expected);
      },
      hasMessage,
    ),
  );

export const retrieve = fc
  .record({ by: user, n: pickNumber, peek, elapsed })
  .map(({ by, n, peek: peeks, elapsed: time }) =>
    step(
      `${by} ${peeks ? 'peeks at' : 'retrieves'} message ${n}`,
      time,
      async (model) => {
        const { one, message } = pickMessage(model, n);
        const seen = canSee(model, one, by) && !message.deleted;
        if (seen && !peeks) markRead(model, one, message, by);
        const expected = seen ? toMessageView(one, message, by) : 404;
        const call = { path: { message_id: message.id }, query: { peek: String(peeks) } };
        await expectReply(model, by, retrieveMessage, call, expected);
      },
      hasMessage,
    ),
  );

export const listOne = fc
  .record({ by: user, n: pickNumber, limit, peek, elapsed })
  .map(({ by, n, limit: pageLimit, peek: peeks, elapsed: time }) =>
    step(
      `${by} ${peeks ? 'peeks at' : 'lists'} conversation ${n}, ${pageLimit} a page`,
      time,
      async (model) => {
        const one = pickConversation(model, n);
        const query = { conversation_id: one.id, limit: String(pageLimit), peek: String(peeks) };
        if (!canSee(model, one, by)) {
          await expectReply(model, by, listMessages, { query }, 404);
          return;
        }
        const shown = getMessages(one);
        if (!peeks) {
          const hasNewReads = shown
            .map((message) => markRead(model, one, message, by))
            .includes(true);
          const sequence = 1 + one.messages.findLastIndex(({ deleted }) => !deleted);
          recordOpening(model, one, by, { sequence, hasNewReads });
        }
        const views = shown.map((message) => toMessageView(one, message, by));
        const pages = await walkPages(model, by, listMessages, query);
        expect(withoutProfiles(pages)).toEqual(toPages(views, pageLimit));
      },
      hasConversation,
    ),
  );

export const listAll = fc
  .record({ by: user, limit, elapsed })
  .map(({ by, limit: pageLimit, elapsed: time }) =>
    step(`${by} lists all messages, ${pageLimit} a page`, time, async (model) => {
      const pages = await walkPages(model, by, listMessages, { limit: String(pageLimit) });
      expect(withoutProfiles(pages)).toEqual(toPages(getAllMessages(model, by), pageLimit));
    }),
  );
