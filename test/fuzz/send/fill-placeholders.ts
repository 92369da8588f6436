import type { Fixture } from '../run/fixture.ts';
import type { Person } from '../run/person.ts';

/** Resources that the request has named so far; later placeholders refer to them. */
export interface Named {
  conversation?: string;
  /** The first one: the resource in the path, if any. */
  target?: string;
}

/** Only the latest resources are used, so that requests meet. */
const maxRecentIds = 40;

const never = { conversation: '0'.repeat(26), message: '0'.repeat(44) };

/** Replaces the placeholders of a text for the caller; without a caller, for the first person. */
export function fillPlaceholders(
  text: string,
  fixture: Fixture,
  caller: Person | undefined,
  named: Named,
): string {
  return text.replace(/\|([a-z-]+):(\d+)\|/g, (_, kind: string, digits: string) => {
    const value = valueFor(kind, Number(digits), fixture, caller ?? fixture.people[0], named);
    const message = fixture.model.messages.get(value);
    named.target ??= value;
    if (/conversation|message|mine/.test(kind)) {
      named.conversation ??= message?.conversation_id ?? value;
    }
    return value;
  });
}

/**
 * A feed cursor names its table after the format and the reader (shared/table/feed/feed-cursor.ts).
 */
function ofAnotherTable(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const table = 7;
  return Buffer.from(bytes.map((byte, n) => (n === table ? byte ^ 1 : byte))).toString('base64url');
}

function valueFor(
  kind: string,
  n: number,
  { model, confidential, people, businesses }: Fixture,
  caller: Person | undefined,
  named: Named,
): string {
  const id = caller?.id ?? '';
  const pick = (ids: string[], otherwise: string): string => {
    const recent = ids.slice(-maxRecentIds);
    return recent[n % recent.length] ?? otherwise;
  };
  const conversations = (test: (mine: boolean, deleted: boolean) => boolean) =>
    [...model.conversations.values()]
      .filter((one) => test(model.isParticipant(one, id), one.deleted))
      .map((one) => one.id);
  const messages = (test: (mine: boolean, deleted: boolean) => boolean, conversation?: string) =>
    [...model.messages.values()].filter((one) => {
      const parent = model.conversations.get(one.conversation_id);
      if (!parent || (conversation !== undefined && conversation !== parent.id)) return false;
      return test(model.isParticipant(parent, id), one.deleted || parent.deleted);
    });
  const ids = (found: { id: string }[]) => found.map((one) => one.id);

  switch (kind) {
    case 'feed-cursor':
      return model.feedCursors.get(id) ?? 'none';
    case 'foreign-feed-cursor':
      return pick(
        [...model.feedCursors].flatMap(([one, cursor]) => (one === id ? [] : cursor)),
        'none',
      );
    case 'expired-feed-cursor':
      return ofAnotherTable(model.feedCursors.get(id) ?? 'none');
    case 'conversation':
      return pick(
        conversations((mine, deleted) => mine && !deleted),
        never.conversation,
      );
    case 'foreign-conversation':
      return pick(
        conversations((mine, deleted) => !mine && !deleted),
        never.conversation,
      );
    case 'deleted-conversation':
      return pick(
        conversations((_, deleted) => deleted),
        never.conversation,
      );
    case 'confidential-conversation':
      return pick(confidential.conversations, never.conversation);
    case 'message':
      return pick(ids(messages((mine, deleted) => mine && !deleted)), never.message);
    case 'mine': {
      const sent = messages((mine, deleted) => mine && !deleted);
      return pick(ids(sent.filter((one) => one.sent_by === id)), never.message);
    }
    case 'foreign-message':
      return pick(ids(messages((mine, deleted) => !mine && !deleted)), never.message);
    case 'deleted-message':
      return pick(ids(messages((_, deleted) => deleted)), never.message);
    case 'confidential-message':
      return pick(confidential.messages, never.message);
    case 'message-in-it':
      return pick(ids(messages((_, deleted) => !deleted, named.conversation)), never.message);
    case 'person':
      return pick([...ids(people), 'zoe', 'constructor'], '');
    case 'confidential-person':
      return pick(confidential.people, '');
    case 'me':
      return id;
    case 'my-name':
      return caller?.username ?? id;
    case 'group':
      return pick([...(caller?.groups ?? [])], 'team');
    case 'foreign-group':
      return pick(['team', 'friends', 'nobodys'], '');
    case 'business':
      return pick(
        businesses.map(({ public_id }) => public_id),
        '',
      );
    case 'etag':
      return model.etags.get(`${id} ${named.target}`) ?? '"none"';
    case 'token':
      return pick(
        people.map(({ authorization }) => authorization),
        '',
      );
    default:
      return `|${kind}:${n}|`;
  }
}

/** Replaces the placeholders in all texts of a value, including field names. */
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
