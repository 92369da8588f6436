import type { KnownUpload } from '../run/accepted-state.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Person } from '../run/person.ts';

/** Resources whose ids the request already contains. Later placeholders refer to them. */
export interface Named {
  conversation?: string;
  /** The first resource in the request: the resource in the path, if the path contains one. */
  target?: string;
}

/**
 * Number of recent resources that placeholders can refer to. A small number makes requests share
 * resources.
 */
const maxRecentIds = 40;

const nonexistent = {
  conversation: '0'.repeat(26),
  message: '0'.repeat(44),
  upload: '0'.repeat(52),
  group: `grp_${'0'.repeat(26)}`,
};

/**
 * Replaces a text's placeholders with values for the caller. If there is no caller, uses the first
 * person. Records the first resource and conversation in `named`.
 */
export function fillPlaceholders(
  text: string,
  fixture: Fixture,
  caller: Person | undefined,
  named: Named,
): string {
  return text.replace(/\|([a-z-]+):(\d+)\|/g, (_, kind: string, digits: string) => {
    const context = { ...fixture, n: Number(digits), caller: caller ?? fixture.people[0], named };
    const value = values[kind]?.(context) ?? `|${kind}:${digits}|`;
    const message = fixture.model.messages.get(value);
    named.target ??= value;
    if (/conversation|message|mine/.test(kind)) {
      named.conversation ??= message?.conversation_id ?? value;
    }
    return value;
  });
}

/** Returns the cursor with another table's hash (layout: shared/table/feed/read/feed-cursor.ts). */
function ofAnotherTable(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const table = 7;
  return Buffer.from(bytes.map((byte, n) => (n === table ? byte ^ 1 : byte))).toString('base64url');
}

interface Context extends Fixture {
  n: number;
  caller: Person | undefined;
  named: Named;
}

type State = 'own' | 'foreign' | 'deleted' | 'existing';

const hasState = (state: State, isMember: boolean, isDeleted: boolean): boolean =>
  state === 'deleted'
    ? isDeleted
    : !isDeleted && (state === 'existing' || isMember === (state === 'own'));

function pick({ n }: Context, ids: readonly string[], otherwise = ''): string {
  const recent = ids.slice(-maxRecentIds);
  return recent[n % recent.length] ?? otherwise;
}

function pickConversation(context: Context, state: State): string {
  const { model, caller } = context;
  const found = [...model.conversations.values()].filter((one) =>
    hasState(state, model.isParticipant(one, caller?.id ?? ''), one.deleted),
  );
  return pick(context, toIds(found), nonexistent.conversation);
}

function pickMessage(
  context: Context,
  state: State,
  filter: { conversation?: string | undefined; sentBy?: string } = {},
): string {
  const { model, caller } = context;
  const { conversation, sentBy } = filter;
  const found = [...model.messages.values()].filter((one) => {
    const parent = model.conversations.get(one.conversation_id);
    if (!parent || (conversation !== undefined && conversation !== parent.id)) return false;
    if (sentBy !== undefined && one.sent_by !== sentBy) return false;
    const isMember = model.isParticipant(parent, caller?.id ?? '');
    return hasState(state, isMember, one.deleted || parent.deleted);
  });
  return pick(context, toIds(found), nonexistent.message);
}

function pickUpload(context: Context, filter: (upload: KnownUpload) => boolean): string {
  const found = [...context.model.uploads.values()].filter(filter);
  return pick(context, toIds(found), nonexistent.upload);
}

const canSee = ({ model, caller }: Context, upload: KnownUpload, deleted: boolean): boolean =>
  model.canSeeUpload(upload, caller?.id ?? '', { deleted });

const isSendable = ({ named, caller }: Context, upload: KnownUpload): boolean =>
  upload.message_id === undefined &&
  upload.uploaded_by === caller?.id &&
  upload.conversation_id === (named.conversation ?? upload.conversation_id);

function pickGroup(context: Context, state: State): string {
  const { model, caller } = context;
  const found = [...model.groups.all.values()].filter(({ id, deleted }) =>
    hasState(state, model.groups.mayHaveBeen(id, caller?.id ?? ''), deleted),
  );
  return pick(context, toIds(found), nonexistent.group);
}

const toIds = (found: readonly { id: string }[]) => found.map((one) => one.id);

const getFeedCursor = ({ model, caller }: Context) =>
  model.feedCursors.get(caller?.id ?? '') ?? 'none';

const values: Readonly<Record<string, (context: Context) => string>> = {
  'feed-cursor': getFeedCursor,
  'foreign-feed-cursor': (context) => {
    const others = [...context.model.feedCursors].filter(([id]) => id !== context.caller?.id);
    return pick(
      context,
      others.map(([, cursor]) => cursor),
      'none',
    );
  },
  'expired-feed-cursor': (context) => ofAnotherTable(getFeedCursor(context)),
  conversation: (context) => pickConversation(context, 'own'),
  'foreign-conversation': (context) => pickConversation(context, 'foreign'),
  'deleted-conversation': (context) => pickConversation(context, 'deleted'),
  'confidential-conversation': (context) =>
    pick(context, context.confidential.conversations, nonexistent.conversation),
  message: (context) => pickMessage(context, 'own'),
  mine: (context) => pickMessage(context, 'own', { sentBy: context.caller?.id ?? '' }),
  'foreign-message': (context) => pickMessage(context, 'foreign'),
  'deleted-message': (context) => pickMessage(context, 'deleted'),
  'confidential-message': (context) =>
    pick(context, context.confidential.messages, nonexistent.message),
  'message-in-it': (context) =>
    pickMessage(context, 'existing', { conversation: context.named.conversation }),
  upload: (context) => pickUpload(context, (one) => canSee(context, one, false)),
  'foreign-upload': (context) => pickUpload(context, (one) => !canSee(context, one, true)),
  'deleted-upload': (context) =>
    pickUpload(context, (one) => canSee(context, one, true) && !canSee(context, one, false)),
  'unsent-upload': (context) => pickUpload(context, (one) => isSendable(context, one)),
  'confidential-upload': (context) =>
    pick(context, context.confidential.uploads, nonexistent.upload),
  person: (context) => pick(context, [...toIds(context.people), 'zoe', 'constructor']),
  'confidential-person': (context) => pick(context, context.confidential.people),
  me: ({ caller }) => caller?.id ?? '',
  'my-name': ({ caller }) => caller?.username ?? caller?.id ?? '',
  group: (context) => pick(context, [...(context.caller?.groups ?? [])], 'team'),
  'foreign-group': (context) => pick(context, ['team', 'friends', 'nobodys']),
  'user-group': (context) => pickGroup(context, 'own'),
  'foreign-user-group': (context) => pickGroup(context, 'foreign'),
  'deleted-user-group': (context) => pickGroup(context, 'deleted'),
  'confidential-group': (context) => pick(context, context.confidential.groups, nonexistent.group),
  business: (context) =>
    pick(
      context,
      context.businesses.map(({ public_id }) => public_id),
    ),
  etag: ({ model, caller, named }) =>
    model.etags.get(`${caller?.id ?? ''} ${named.target}`) ?? '"none"',
  token: (context) =>
    pick(
      context,
      context.people.map(({ authorization }) => authorization),
    ),
};

/** Replaces the placeholders in all strings of a value, including field names. */
export function fillAllPlaceholders(value: unknown, filled: (text: string) => string): unknown {
  if (typeof value === 'string') return filled(value);
  if (Array.isArray(value)) return value.map((item) => fillAllPlaceholders(item, filled));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      filled(name),
      fillAllPlaceholders(inner, filled),
    ]),
  );
}
