import * as v from 'valibot';
import { NewAttachment } from '../../../shared/contract/resources/attachment.ts';
import { toSha256 } from '../values/file-contents.ts';
import type { Person } from './person.ts';
import { putContent } from './store-file.ts';

/** Resources of people who share nothing with the callers. */
export interface Confidential {
  owner: Person;
  conversations: string[];
  messages: string[];
  /** Ids of the files in the messages, and of the owner's unsent files. */
  uploads: string[];
  /** Ids of groups that users created. */
  groups: string[];
  people: string[];
  /** Texts that occur only in the confidential resources. */
  secrets: string[];
  /** The owner's view of each resource, by path. */
  snapshots: Map<string, Snapshot>;
}

interface Snapshot {
  etag: string;
  body: unknown;
}

const Created = v.object({ id: v.string() });

const createCall =
  (url: string) => async (caller: Person, method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: caller.authorization, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return { body: JSON.parse(text) as unknown, etag: response.headers.get('ETag') ?? '' };
  };

/** Returns a function that uploads a file with a secret name and content, and records both. */
const createUploader =
  (
    sendRequest: ReturnType<typeof createCall>,
    createSecret: (label: string) => string,
    { secrets, uploads }: Pick<Confidential, 'secrets' | 'uploads'>,
  ) =>
  async (caller: Person, conversation_id: string): Promise<string> => {
    const [name, content] = [createSecret('name-of-upload'), createSecret('upload')];
    const file = { name, type: 'text/plain', size: content.length, sha256: toSha256(content) };
    const { body } = await sendRequest(caller, 'POST', '/v1/attachments', {
      conversation_id,
      ...file,
    });
    const created = v.parse(NewAttachment, body);
    const status = await putContent(created, content);
    if (status !== 200) throw new Error(`The upload of a confidential file returned ${status}`);
    secrets.push(name, content);
    uploads.push(created.id);
    return created.id;
  };

/**
 * Creates confidential resources of Vera and Walter: a direct conversation, a conversation in their
 * group, and a group that Vera created.
 */
export async function makeConfidential(
  url: string,
  person: (id: string, claims: object) => Promise<Person>,
) {
  const secret = (label: string) => `secret-${label}-${crypto.randomUUID()}`;
  const group = secret('group');
  const secrets = [group];
  const claims = () => {
    const [username, phone_number] = [secret('name'), secret('phone')];
    secrets.push(username, phone_number);
    return { groups: [group], username, phone_number };
  };
  const [vera, walter] = [await person('vera', claims()), await person('walter', claims())];

  const sendRequest = createCall(url);
  const post = async (caller: Person, path: string, body: object) =>
    v.parse(Created, (await sendRequest(caller, 'POST', path, body)).body).id;

  const conversations: string[] = [];
  const messages: string[] = [];
  const uploads: string[] = [];
  const upload = createUploader(sendRequest, secret, { secrets, uploads });
  for (const members of [{ contact_id: 'walter' }, { group_id: group }]) {
    const conversation_id = await post(vera, '/v1/conversations', members);
    conversations.push(conversation_id);
    await upload(vera, conversation_id);
    for (const caller of [vera, walter, vera]) {
      const [message, name] = [secret('message'), secret('file')];
      secrets.push(message, name);
      const attachments = [{ name }, { id: await upload(caller, conversation_id) }];
      const body = { conversation_id, message, attachments };
      messages.push(await post(caller, '/v1/messages', body));
    }
    const flags = {
      is_muted: true,
      archived_at: 1_700_000_000,
      pinned_message_id: messages.at(-1),
    };
    await sendRequest(vera, 'PUT', `/v1/conversations/${conversation_id}`, flags);
    await sendRequest(walter, 'PUT', `/v1/messages/${messages.at(-1)}`, {
      reactions: { ok: ['walter'] },
    });
    await sendRequest(vera, 'GET', `/v1/messages?conversation_id=${conversation_id}`);
  }

  const title = secret('title');
  secrets.push(title);
  const groups = [await post(vera, '/v1/groups', { title, members: [walter.id] })];

  const people = [vera.id, walter.id];
  const paths = [
    ...conversations.map((id) => `/v1/conversations/${id}`),
    ...messages.map((id) => `/v1/messages/${id}`),
    ...people.map((id) => `/v1/contacts/${id}`),
    ...groups.map((id) => `/v1/groups/${id}`),
  ];
  const snapshots = new Map<string, Snapshot>();
  for (const path of paths) snapshots.set(path, await sendRequest(vera, 'GET', path));
  const confidential: Confidential = {
    owner: vera,
    conversations,
    messages,
    uploads,
    groups,
    people,
    secrets,
    snapshots,
  };
  return { confidential, secretive: [vera, walter] };
}
