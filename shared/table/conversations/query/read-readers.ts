import * as v from 'valibot';
import { ApiError } from '../../../api-error.ts';
import { type Item, queryPage } from '../../calls/access.ts';
import { conversationKey, parseSettingsOwner } from '../../keys/keys.ts';
import { settingsSortPrefix, tableKey } from '../../keys/names.ts';
import { getShownReadSequence, Settings } from '../items/settings.ts';

/** A participant who has opened a conversation. */
export interface ConversationReader {
  contactId: string;
  /** Milliseconds. */
  openedAt: number;
  /** Highest sequence number that the participant has read; 0 if none. */
  readSequence: number;
}

/**
 * Maximum number of calls. Each call reads 1 MB, which costs 128 read units. Together, the calls
 * read the settings of about 100,000 participants.
 */
const maxCalls = 25;

const StoredReader = v.object({
  sk: v.string(),
  ...v.pick(Settings, ['last_opened_at', 'read_place', 'max_read_sequence']).entries,
});

/**
 * Returns the participants who have opened the conversation, most recent opening first. Reads with
 * eventual consistency. Throws `too_many_readers`.
 */
export async function readReaders(conversationId: string): Promise<ConversationReader[]> {
  const readers: ConversationReader[] = [];
  let next: Item | undefined;
  for (let calls = 0; calls < maxCalls; calls++) {
    const page = await queryPage({
      KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :settings)`,
      FilterExpression: 'attribute_exists(last_opened_at)',
      ProjectionExpression: Object.keys(StoredReader.entries).join(', '),
      ExpressionAttributeValues: {
        ':pk': conversationKey(conversationId).pk,
        ':settings': settingsSortPrefix,
      },
      ...(next && { ExclusiveStartKey: next }),
    });
    readers.push(...page.items.map(toReader));
    next = page.next;
    if (!next) return readers.sort(compareReaders);
  }
  throw new ApiError('too_many_readers');
}

function toReader(item: Item): ConversationReader {
  const { sk, last_opened_at = 0, ...positions } = v.parse(StoredReader, item);
  return {
    contactId: parseSettingsOwner(sk),
    openedAt: last_opened_at,
    readSequence: getShownReadSequence(positions),
  };
}

/** A reader's position in the list, which is sorted by latest opening, then by contact id. */
export type ReaderPosition = Pick<ConversationReader, 'contactId' | 'openedAt'>;

export function compareReaders(one: ReaderPosition, other: ReaderPosition): number {
  if (one.openedAt !== other.openedAt) return other.openedAt - one.openedAt;
  return one.contactId < other.contactId ? -1 : Number(one.contactId > other.contactId);
}
