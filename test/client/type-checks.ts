/** Checks what the client's types accept and reject when `npm run types` compiles this file. */
import {
  ApiError,
  type Business,
  type BusinessFormat,
  type CallOptions,
  type CamelBusiness,
  type ChangeOptions,
  type Client,
  type ClientOptions,
  type Contact,
  type Conversation,
  type CreateConversationParams,
  createClient,
  type Deleted,
  type DeletedMessage,
  type ErrorCode,
  type Event,
  type Expansion,
  type Group,
  type GroupMember,
  type ListConversationsParams,
  type ListMessagesParams,
  type LiveOptions,
  live,
  type Member,
  type Message,
  NotFoundError,
  type OpenedConversation,
  type OpenOptions,
  type RemovedMember,
  type RetrieveOptions,
  type SendMessageParams,
  type SendOptions,
  type UpdateConversationParams,
  type UpdateMessageParams,
  type UploadOptions,
  type UploadProgress,
} from '../../client/src/index.ts';

export async function checkMethods(client: Client) {
  const message: Message = await client.messages.send({ conversation_id: 'c', message: 'Hello' });
  // @ts-expect-error A message requires text.
  client.messages.send({ conversation_id: 'c' });
  // @ts-expect-error The field does not exist.
  client.messages.send({ conversation_id: 'c', message: 'Hello', text: 'Hello' });
  // @ts-expect-error `send` does not accept `ifMatch`.
  client.messages.send({ conversation_id: 'c', message: 'Hello' }, { ifMatch: '"1"' });
  // @ts-expect-error A conversation requires a contact, a group, or both.
  client.conversations.create({ distinct: true });
  client.conversations.create({ group_id: 'team', contact_id: 'bob' });
  const group: Group = await client.groups.create({ title: 'Cinema', members: ['bob'] });
  // @ts-expect-error A group requires a title.
  client.groups.create({ members: ['bob'] });
  client.groups.update({ group_id: group.id, title: 'Theatre' }, { ifMatch: '"1"' });
  const contact = { group_id: group.id, contact_id: 'carol' };
  const member: GroupMember = await client.members.put({ ...contact, role: 'admin' });
  member.role satisfies 'owner' | 'admin' | 'member';
  // @ts-expect-error The role does not exist.
  client.members.put({ ...contact, role: 'guest' });
  (await client.members.remove(contact)) satisfies Deleted;
  // @ts-expect-error The expansion does not exist.
  client.conversations.list({ expand: ['messages'] });
  // @ts-expect-error The feed does not accept `ending_before`.
  client.events.list({ ending_before: 'x' });

  const retrieved: Message = await client.messages.retrieve({ message_id: message.id });
  const nullable = await client.messages.retrieve({ message_id: 'm' }, { ifNoneMatch: '"1"' });
  // @ts-expect-error The result may be null.
  nullable.id;
  const known: string | undefined = undefined;
  await client.messages.retrieve({ message_id: 'm' }, { ifNoneMatch: known, signal: undefined });

  for await (const one of client.conversations.list()) {
    const conversation: Conversation = one;
    // @ts-expect-error The field may be undefined.
    conversation.last_message.id;
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
  return retrieved;
}

export async function checkResults(client: Client, names: Expansion[], format: BusinessFormat) {
  const { conversations } = client;
  const expand = ['unread_count'] as const;
  const params = { conversation_id: 'c', expand };
  for await (const one of conversations.list({ expand: ['unread_count', 'contact'] })) {
    one.unread_count satisfies number;
    one.contact satisfies Contact | null;
    // @ts-expect-error The field is not expanded.
    one.last_message satisfies Message | null;
  }
  (await conversations.retrieve(params)).unread_count satisfies number;
  (await conversations.update({ ...params, is_muted: true })).unread_count satisfies number;
  (await conversations.create({ contact_id: 'bob', expand })).unread_count satisfies number;
  const nullable = await conversations.retrieve(params, { ifNoneMatch: '"1"' });
  nullable?.unread_count satisfies number | undefined;
  // @ts-expect-error The result may be null.
  nullable.id;
  const expanded = await conversations.retrieve({ conversation_id: 'c', expand: names });
  // @ts-expect-error The expanded fields are unknown at compile time.
  expanded.unread_count satisfies number;

  for await (const one of client.business.list()) one satisfies Business;
  for await (const one of client.business.list({ format: 'camelCase' }))
    one satisfies CamelBusiness;
  for await (const one of client.business.list({ format })) {
    // @ts-expect-error The format is unknown at compile time.
    one satisfies Business;
  }
}

export function checkCombinations({ conversations, messages }: Client, isMuted: boolean) {
  conversations.create({ contact_id: 'bob', distinct: true, group_id: null });
  // @ts-expect-error A conversation with a group cannot be distinct.
  conversations.create({ group_id: 'team', distinct: true });
  // @ts-expect-error A conversation with a group and a contact cannot be distinct.
  conversations.create({ contact_id: 'bob', group_id: 'team', distinct: true });
  conversations.list({ muted: isMuted, exclude: ['archived', 'pinned'] });
  conversations.list({ muted: false, exclude: ['muted'] });
  // @ts-expect-error A list cannot request and exclude the same flag.
  conversations.list({ muted: true, exclude: ['muted'] });
  // @ts-expect-error A list cannot request and exclude the same flag.
  conversations.list({ archived: true, exclude: ['pinned', 'archived'] });
  // @ts-expect-error A live list cannot request and exclude the same flag.
  live(createClient(options), { conversations: { pinned: true, exclude: ['pinned'] } });
  // @ts-expect-error A request accepts one cursor.
  messages.list({ starting_after: 'x', ending_before: 'y' });
  messages.list({ starting_after: 'x', ending_before: undefined });
}

/** Maps the optional fields of a type, or of each member of a union, to undefined. */
type Undefined<Type> = Type extends unknown
  ? {
      [Name in keyof Type as Pick<Type, Name> extends Required<Pick<Type, Name>>
        ? never
        : Name]: undefined;
    }
  : never;

/** Checks that every optional field accepts undefined under `exactOptionalPropertyTypes`. */
export function checkUndefined() {
  const accept = <Type>(
    _: { [Name in keyof Undefined<Type>]: Undefined<Type>[Name] } extends Partial<Type>
      ? 'yes'
      : 'no',
  ) => {};
  accept<{ strict?: string }>('no');
  accept<ListConversationsParams>('yes');
  accept<ListMessagesParams>('yes');
  accept<CreateConversationParams>('yes');
  accept<UpdateConversationParams>('yes');
  accept<SendMessageParams>('yes');
  accept<UpdateMessageParams>('yes');
  accept<Conversation>('yes');
  accept<Omit<ClientOptions, never>>('yes');
  accept<CallOptions & SendOptions & RetrieveOptions & ChangeOptions>('yes');
  accept<LiveOptions>('yes');
  accept<OpenOptions>('yes');
}

export function checkEvents(event: Event) {
  switch (event.type) {
    case 'message.created':
    case 'message.updated':
      event.payload satisfies Message | DeletedMessage | null;
      // @ts-expect-error The message may have been deleted since.
      event.payload satisfies Message | null;
      break;
    case 'message.deleted':
      event.payload satisfies DeletedMessage | null;
      break;
    case 'conversation.created':
    case 'conversation.updated':
      event.payload satisfies Conversation | Deleted | null;
      break;
    case 'conversation.deleted':
      event.payload satisfies Deleted | null;
      break;
    case 'reader.updated':
      event.payload satisfies OpenedConversation | null;
      break;
    case 'group.updated':
      event.payload satisfies Group | Deleted | null;
      break;
    case 'group.member_added':
      event.payload satisfies Member | RemovedMember | null;
      break;
    case 'group.member_removed':
      event.payload satisfies RemovedMember | null;
      break;
    case 'group.deleted':
      event.payload satisfies Deleted | null;
      break;
    default:
      event satisfies never;
  }
}

export function checkErrors(error: unknown) {
  if (error instanceof NotFoundError) {
    error.code satisfies 'not_found';
    error.param satisfies string | null;
    // @ts-expect-error Each error class has one code.
    error.code === 'not_allowed';
  }
  if (error instanceof ApiError && error.code === 'reactions_full') return error.status;
  'code_of_a_newer_version' satisfies ErrorCode;
  // @ts-expect-error A code is a string.
  400 satisfies ErrorCode;
  return undefined;
}

export async function checkUploads(client: Client, signal: AbortSignal | undefined) {
  const onProgress = ({ loaded, total }: UploadProgress) => loaded / total;
  const options: UploadOptions = { conversation_id: 'c', onProgress, signal };
  const { id } = await client.attachments.upload(new File(['x'], 'x.txt'), options);
  client.attachments.upload(Buffer.from('x'), options);
  // @ts-expect-error An upload requires a conversation.
  client.attachments.upload(new Blob(['x']), { signal });
  // @ts-expect-error A string is not a file.
  client.attachments.upload('x', options);
  client.messages.send({ conversation_id: 'c', message: '', attachments: [{ id }] });
  const open = live(client).open('c');
  open.send({ message: '', files: [new Blob(['x'])] });
  const [file] = open.getSnapshot().pending[0]?.files ?? [];
  file?.loaded satisfies number | undefined;
  // @ts-expect-error The storage may have lost the file.
  file?.file.size;
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
  // @ts-expect-error A live list does not accept a cursor.
  live(client, { conversations: { starting_after: 'x' } });
  event.payload?.id satisfies string | undefined;
  // @ts-expect-error `apply` accepts only calls that return a message, conversation or deletion.
  inbox.apply(client.contacts.retrieve({ contact_id: 'bob' }));
  inbox.apply(client.messages.delete({ message_id: 'm' })) satisfies Promise<{ deleted: boolean }>;
}

const options = { url: 'https://api.example.com', token: 'x' };

createClient({ url: 'https://api.example.com', token: async ({ fresh }) => (fresh ? 'a' : 'b') });
createClient({ url: 'https://api.example.com', token: 'x', fetch });
// @ts-expect-error The token is required.
createClient({ url: 'https://api.example.com' });
