/** Checks what the client's types accept and reject. `npm run types` compiles it; nothing runs. */
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
  // @ts-expect-error A message requires a text.
  client.messages.send({ conversation_id: 'c' });
  // @ts-expect-error The field does not exist.
  client.messages.send({ conversation_id: 'c', message: 'Hello', text: 'Hello' });
  // @ts-expect-error Sending has no `ifMatch`.
  client.messages.send({ conversation_id: 'c', message: 'Hello' }, { ifMatch: '"1"' });
  // @ts-expect-error A conversation requires a contact, a group, or both.
  client.conversations.create({ distinct: true });
  client.conversations.create({ group_id: 'team', contact_id: 'bob' });
  // @ts-expect-error The expansion does not exist.
  client.conversations.list({ expand: ['messages'] });
  // @ts-expect-error The feed has no `ending_before`.
  client.events.list({ ending_before: 'x' });

  const kept: Message = await client.messages.retrieve({ message_id: message.id });
  const perhaps = await client.messages.retrieve({ message_id: 'm' }, { ifNoneMatch: '"1"' });
  // @ts-expect-error The result may be null.
  perhaps.id;
  const known: string | undefined = undefined;
  await client.messages.retrieve({ message_id: 'm' }, { ifNoneMatch: known, signal: undefined });

  for await (const one of client.conversations.list()) {
    const conversation: Conversation = one;
    // @ts-expect-error The field may be undefined.
    conversation.last_message.id;
  }
  for await (const one of client.business.list({ format: 'camelCase' })) {
    if ('public_id' in one) one satisfies Business;
    else one.publicId satisfies string;
  }
  const { data, etag } = await client.contacts.retrieve({ contact_id: 'bob' }).withResponse();
  data.username satisfies string | null;
  // @ts-expect-error The value may be null.
  await client.messages.update({ message_id: 'm', message: 'x' }, { ifMatch: etag });

  await client.messages.update({ message_id: 'm', message: 'x' }, { ifMatch: etag ?? undefined });

  const page = await client.messages.list({ conversation_id: 'c' }).page();
  page.next?.starting_after satisfies string | undefined;
  // @ts-expect-error The cursor may be null.
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
  // @ts-expect-error The code does not exist.
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
  // @ts-expect-error Snapshots are readonly.
  conversations.push(conversations[0]);
  // @ts-expect-error A live list has no cursor.
  live(client, { conversations: { starting_after: 'x' } });
  event.payload?.id satisfies string | undefined;
  // @ts-expect-error A store shows messages and conversations only.
  inbox.apply(client.contacts.retrieve({ contact_id: 'bob' }));
  inbox.apply(client.messages.delete({ message_id: 'm' })) satisfies Promise<{ deleted: boolean }>;
}

createClient({ url: 'https://api.example.com', token: async ({ fresh }) => (fresh ? 'a' : 'b') });
createClient({ url: 'https://api.example.com', token: 'x', fetch });
// @ts-expect-error The token is required.
createClient({ url: 'https://api.example.com' });
