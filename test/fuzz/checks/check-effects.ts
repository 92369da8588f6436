import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  deleteBlock,
  listBlocks,
  listBusinesses,
  listReaders,
} from '../../../shared/contract/operations.ts';
import { BlockPage } from '../../../shared/contract/resources/block.ts';
import { Contact } from '../../../shared/contract/resources/contact.ts';
import { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { Message } from '../../../shared/contract/resources/message.ts';
import { ReaderPage } from '../../../shared/contract/resources/reader.ts';
import { listSchema } from '../../../shared/contract/schema/list-schema.ts';
import { isBusinessPage } from '../../response-invariants/business-page.ts';
import { getLinkUrl } from '../../response-invariants/page-rules.ts';
import { isOwn } from '../../response-invariants/permissions.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Person } from '../run/person.ts';
import type { Reply } from '../run/raw-client.ts';
import type { Sent } from '../send/compile-request.ts';
import { getHeader, parseJson } from './check-reply.ts';
import { messageContent, ownFlags } from './record-change.ts';

export function sendGet(
  fixture: Fixture,
  person: Person,
  path: string,
  headers: object = {},
): Promise<Reply> {
  const all = { Host: new URL(fixture.url).host, Authorization: person.authorization, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return fixture.client.send(Buffer.from(head, 'latin1'), 'GET');
}

const resourceSchema = v.union([Message, Conversation]);

export function findForeignResource(
  { caller, row, target }: Sent,
  reply: Reply,
  { model }: Fixture,
): string | undefined {
  if (!row || !caller || reply.status !== row.status) return undefined;
  const body = parseJson(reply.body);
  // A conversation between the caller and the contact may have been deleted in the same batch.
  if (
    v.is(Contact, body) &&
    model.getContactAccess(caller.id, body.id, { deleted: true }) === 'no'
  ) {
    return `The reply shows ${body.id}, with whom ${caller.id} shares no conversation.`;
  }
  if (v.is(ReaderPage, body) && row.id === listReaders.id) {
    const read = model.conversations.get(decodeURIComponent(target.split('/')[3] ?? ''));
    if (!read || !model.isParticipant(read, caller.id))
      return `The reply shows the readers of ${target}, but ${caller.id} is not a participant.`;
  }
  if (v.is(BlockPage, body) && row.id === listBlocks.id) {
    const foreign = body.data.find((one) => !model.blocks.get(caller.id)?.has(one.contact_id));
    if (foreign) return `The reply shows ${foreign.contact_id}, whom ${caller.id} has not blocked.`;
  }
  const shown = v.is(listSchema(resourceSchema), body)
    ? body.data
    : v.is(resourceSchema, body)
      ? [body]
      : [];
  for (const resource of shown) {
    const id = 'message' in resource ? resource.conversation_id : resource.id;
    const conversation = model.conversations.get(id);
    if (!conversation || !model.isParticipant(conversation, caller.id)) {
      return `The reply shows data of ${id}, in which ${caller.id} is not a participant.`;
    }
  }
  return undefined;
}

export function findWrongBusinesses(
  { row, target }: Sent,
  reply: Reply,
  { businesses }: Fixture,
): string | undefined {
  if (row?.id !== listBusinesses.id || reply.status !== row.status) return undefined;
  const query = Object.fromEntries(new URLSearchParams(target.split('?')[1]));
  const isRight = isBusinessPage(businesses, query, parseJson(reply.body));
  return isRight ? undefined : 'The reply is not the expected page of the imported businesses.';
}

export function findForbiddenDeletion(
  { caller, row, named: { target = '' } }: Sent,
  reply: Reply,
  { model }: Fixture,
): string | undefined {
  if (row?.method !== 'DELETE' || !caller || reply.status !== row.status) return undefined;
  // A block's path refers only to the caller's own blocks; check-groups.ts checks groups.
  if (row.id === deleteBlock.id || row.path.startsWith('/v1/groups')) return undefined;
  const message = model.messages.get(target);
  const conversation = model.conversations.get(target);
  const isAllowed = message
    ? isOwn(message, caller.id)
    : conversation && model.mayDelete(conversation, caller.id);
  return isAllowed ? undefined : `${caller.id} may not delete ${target}.`;
}

/** Checks that the resource has the accepted state after a PUT or DELETE, successful or not. */
export async function findUnstoredWrite(
  { row, caller, named }: Sent,
  fixture: Fixture,
): Promise<string | undefined> {
  const { target } = named;
  if (!row || !caller || !target || !['PUT', 'DELETE'].includes(row.method)) return undefined;
  if (!fixture.model.visible(target, caller.id)) return undefined;
  const path = fixture.model.messages.has(target) ? 'messages' : 'conversations';
  return findReplyDifference(
    await sendGet(fixture, caller, `/v1/${path}/${target}`),
    caller,
    fixture,
  );
}

/**
 * Checks that a GET request to the Location URL returns the created resource in a state that the
 * model allows.
 */
export async function checkLocation(
  { caller, row }: Sent,
  reply: Reply,
  fixture: Fixture,
): Promise<string | undefined> {
  const location = getHeader(reply, 'Location');
  if (!row || !caller || reply.status !== 201 || !location) return undefined;
  const created = parseJson(reply.body);
  if (!v.is(resourceSchema, created) || !fixture.model.visible(created.id, caller.id))
    return undefined;
  return findReplyDifference(
    await sendGet(fixture, caller, new URL(location).pathname),
    caller,
    fixture,
  );
}

export async function findBrokenLink(
  { caller }: Sent,
  reply: Reply,
  fixture: Fixture,
): Promise<string | undefined> {
  const header = getHeader(reply, 'Link');
  const link = getLinkUrl(header, 'next') ?? getLinkUrl(header, 'prev');
  if (!caller || !link || reply.status !== 200) return undefined;
  const { pathname, search, searchParams } = link;
  const page = await sendGet(fixture, caller, pathname + search);
  const conversation = searchParams.get('conversation_id');
  // The conversation may have been deleted in the same batch.
  if (conversation && !fixture.model.visible(conversation, caller.id)) return undefined;
  return page.status === 200
    ? undefined
    : `The link ${link} in the reply returns ${page.status}: ${page.body}`;
}

export function findReplyDifference(
  reply: Reply,
  person: Person,
  { model }: Fixture,
): string | undefined {
  const body = parseJson(reply.body);
  if (reply.status !== 200 || !v.is(resourceSchema, body)) {
    return `An accepted resource cannot be retrieved: ${reply.status} ${reply.body}`;
  }
  const { id } = body;
  const expected: [shown: unknown, states: readonly unknown[] | undefined][] =
    'message' in body
      ? [[messageContent(body), model.statesOf(id)]]
      : [
          [ownFlags(body), model.statesOf(`${person.id} ${id}`) ?? [noFlags]],
          [body.pinned_message_id, model.statesOf(`pin ${id}`)],
        ];
  const wrong = expected.find(
    ([shown, states]) => !states?.some((state) => isDeepStrictEqual(state, shown)),
  );
  return (
    wrong &&
    `${id} is ${JSON.stringify(wrong[0])?.slice(0, 1000)}, expected ${JSON.stringify(wrong[1])?.slice(0, 1000)}.`
  );
}

const noFlags = { is_pinned: false, is_muted: false, archived_at: null };
