/** What the client's types allow and what they do not: nothing here runs, `npm run types` reads it. */
import {
  ApiError,
  type Business,
  type Client,
  type Conversation,
  createClient,
  type ErrorCode,
  type Event,
  live,
  type Message,
  NotFoundError,
} from '../../client/src/index.ts';

export async function checkMethods(client: Client) {
  const message: Message = await client.messages.send({ conversation_id: 'c', message: 'Hello' });
  // @ts-expect-error A message needs a text.
  client.messages.send({ conversation_id: 'c' });
  // @ts-expect-error There is no such field.
  client.messages.send({ conversation_id: 'c', message: 'Hello', text: 'Hello' });
  // @ts-expect-error A message is sent without If-Match.
  client.messages.send({ conversation_id: 'c', message: 'Hello' }, { ifMatch: '"1"' });
  // @ts-expect-error A conversation is with a contact, a group, or both.
  client.conversations.create({ distinct: true });
  client.conversations.create({ group_id: 'team', contact_id: 'bob' });
  // @ts-expect-error There is no such word to expand.
  client.conversations.list({ expand: ['messages'] });
  // @ts-expect-error The feed has no way back.
  client.events.list({ ending_before: 'x' });

  const kept: Message = await client.messages.retrieve({ message_id: message.id });
  const perhaps = await client.messages.retrieve({ message_id: 'm' }, { ifNoneMatch: '"1"' });
  // @ts-expect-error It is null where it has not changed.
  perhaps.id;
  const known: string | undefined = undefined;
  await client.messages.retrieve({ message_id: 'm' }, { ifNoneMatch: known, signal: undefined });

  for await (const one of client.conversations.list()) {
    const conversation: Conversation = one;
    // @ts-expect-error It is there only where it was asked for.
    conversation.last_message.id;
  }
  for await (const one of client.business.list({ format: 'camelCase' })) {
    if ('public_id' in one) one satisfies Business;
    else one.publicId satisfies string;
  }
  const { data, etag } = await client.contacts.retrieve({ contact_id: 'bob' }).withResponse();
  data.username satisfies string | null;
  // @ts-expect-error There may be none.
  await client.messages.update({ message_id: 'm', message: 'x' }, { ifMatch: etag });

  await client.messages.update({ message_id: 'm', message: 'x' }, { ifMatch: etag ?? undefined });

  const page = await client.messages.list({ conversation_id: 'c' }).page();
  page.next?.starting_after satisfies string | undefined;
  // @ts-expect-error There may be no next page.
  client.messages.list({ conversation_id: 'c' }).page(page.next);
  return kept;
}

export function checkErrors(error: unknown) {
  if (error instanceof NotFoundError) {
    error.code satisfies 'not_found';
    error.param satisfies string | null;
    // @ts-expect-error A class has one code.
    error.code === 'not_allowed';
  }
  if (error instanceof ApiError && error.code === 'reactions_full') return error.status;
  // @ts-expect-error There is no such code.
  'no_such_code' satisfies ErrorCode;
  return undefined;
}

export function checkLive(client: Client, event: Event) {
  const inbox = live(client, { conversations: { exclude: ['archived'], limit: 50 } });
  const { conversations, status } = inbox.getSnapshot();
  status satisfies
    | 'connecting'
    | 'live'
    | 'polling'
    | 'catching-up'
    | 'offline'
    | 'signed-out'
    | 'failed'
    | 'closed';
  // @ts-expect-error A snapshot does not change.
  conversations.push(conversations[0]);
  // @ts-expect-error The list begins where it begins.
  live(client, { conversations: { starting_after: 'x' } });
  event.payload?.id satisfies string | undefined;
  // @ts-expect-error What is loaded into a store is what a call gives.
  inbox.apply(client.contacts.retrieve({ contact_id: 'bob' }));
  inbox.apply(client.messages.delete({ message_id: 'm' })) satisfies Promise<{ deleted: boolean }>;
}

createClient({ url: 'https://api.example.com', token: async ({ fresh }) => (fresh ? 'a' : 'b') });
createClient({ url: 'https://api.example.com', token: 'x', fetch });
// @ts-expect-error Without a token there is nothing that one may ask.
createClient({ url: 'https://api.example.com' });
