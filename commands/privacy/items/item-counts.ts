import type { PersonItem } from './person-item.ts';

/** Labels of the counted item types, in the order of the output. */
const labels = {
  profile: 'the profile',
  messages: 'messages they sent',
  reactions: "other users' messages with their reactions",
  settings: 'conversation settings: flags and read positions',
  uploads: 'uploaded files that no message contains',
  requests: 'records of requests with an Idempotency-Key',
  events: 'entries of their own feed',
  assignments: 'business conversations assigned to them',
  blocks: 'contacts whom they have blocked',
  memberships: 'memberships in groups that users created',
  reports: 'reports they made',
  endpoints: 'webhook endpoints restricted to their conversations',
  distinct: 'records of distinct conversations with contacts and businesses',
  soleConversations: 'conversations without another participant, with all their content',
  conversations: 'conversations with other participants',
} as const;
type CountName = keyof typeof labels;

/** Number of a person's items by type. If a type is missing, its count is zero. */
export type Counts = Readonly<Partial<Record<CountName, number>>>;

const names = Object.keys(labels).filter((name): name is CountName => name in labels);

/**
 * Returns the counts that an item adds. A feed chunk adds the number of its entries. `isSole` marks
 * a conversation without another participant.
 */
export function countItem(item: PersonItem, isSole: boolean): Counts {
  switch (item.kind) {
    case 'profile':
      return { profile: 1 };
    case 'settings':
      return { settings: 1 };
    case 'upload':
      return item.attachment.message_id === undefined ? { uploads: 1 } : {};
    case 'assignment':
      return { assignments: 1 };
    case 'block':
      return { blocks: 1 };
    case 'membership':
      return { memberships: 1 };
    case 'membership_count':
    case 'group':
      return {};
    case 'report':
      return { reports: 1 };
    case 'endpoint':
      return { endpoints: 1 };
    case 'distinct':
      return { distinct: 1 };
    case 'request':
      return { requests: 1 };
    case 'events':
      return { events: item.chunk.entries.length };
    case 'message':
      return item.isSent ? { messages: 1 } : { reactions: 1 };
    case 'conversation':
      return isSole ? { soleConversations: 1 } : { conversations: 1 };
  }
}

/** Adds up the counts of each name. Omits names whose sum is 0. */
export function addCounts(...all: readonly Counts[]): Counts {
  const sums = names.map((name) => [name, all.reduce((sum, one) => sum + (one[name] ?? 0), 0)]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

/** Returns the number of items to erase, excluding conversations with other participants. */
export const countErasable = ({ conversations: _, ...erasable }: Counts): number =>
  Object.values(erasable).reduce((sum, count) => sum + count, 0);

export const formatCounts = (counts: Counts): string[] =>
  names.flatMap((name) =>
    counts[name] ? [`${String(counts[name]).padStart(9)}  ${labels[name]}`] : [],
  );
