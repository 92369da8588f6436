export interface DescribedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly body: string | undefined;
}

/** Returns the user's action in words that follow the user's name, such as `sends a message`. */
export function describeRequest({ method, path, body }: DescribedRequest): string {
  if (/^https?:/.test(path)) return 'uploads a file';
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const [, , resource = '', id, part] = pathname.split('/');
  const fields = parseObject(body);
  const words: Record<string, string> = {
    'POST messages': 'sends a message',
    'PUT messages': 'reactions' in fields ? 'reacts to a message' : 'edits a message',
    'DELETE messages': 'deletes a message',
    'POST attachments': 'creates an attachment',
    'GET attachments': 'downloads a file',
    'POST conversations': 'creates a conversation',
    'PUT conversations': describeUpdate(fields),
    'DELETE conversations': 'deletes a conversation',
    'GET messages': describeRead(id, searchParams),
    'GET blocks': 'lists blocked contacts',
    'PUT blocks': 'blocks a contact',
    'DELETE blocks': 'unblocks a contact',
    'POST reports': 'reports content',
    'GET business': 'lists businesses',
    'GET contacts': 'retrieves a contact',
    'GET groups': id === undefined ? 'lists groups' : 'opens a group',
    'POST groups': 'creates a group',
    'PUT groups': part === 'members' ? 'adds a member or changes a role' : 'renames a group',
    'DELETE groups': part === 'members' ? 'removes a member' : 'deletes a group',
  };
  if (part === 'readers') return 'lists readers';
  return words[`${method} ${resource}`] ?? 'loads the inbox';
}

function describeUpdate(fields: Readonly<Record<string, unknown>>): string {
  if ('last_read_message_id' in fields) return 'reads messages';
  if ('mark_unread_from' in fields) return 'marks messages as unread';
  if ('pinned_message_id' in fields)
    return fields.pinned_message_id === null ? 'unpins a message' : 'pins a message';
  if ('assigned_to' in fields)
    return fields.assigned_to === null ? 'unassigns a conversation' : 'assigns a conversation';
  if ('is_pinned' in fields)
    return fields.is_pinned === true ? 'pins a conversation' : 'unpins a conversation';
  if ('is_muted' in fields)
    return fields.is_muted === true ? 'mutes a conversation' : 'unmutes a conversation';
  return fields.archived_at === null ? 'restores a conversation' : 'archives a conversation';
}

function describeRead(id: string | undefined, query: URLSearchParams): string {
  if (id !== undefined) return 'retrieves a message';
  return query.has('starting_after') ? 'loads earlier messages' : 'opens a conversation';
}

/** Parses a JSON object. Returns an empty object if the text is not a JSON object. */
export function parseObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
