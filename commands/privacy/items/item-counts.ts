import type { PersonItem } from './person-item.ts';

const labels = {
  profile: 'the profile',
  messages: 'messages they sent',
  reactions: 'messages of others with their reactions',
  settings: 'conversation settings: flags and read positions',
  requests: 'records of requests with an Idempotency-Key',
  events: 'entries of their own feed',
  distinct: 'records that identify direct conversations',
  soleConversations: 'conversations without another participant, with all their content',
  conversations: 'conversations with other participants',
} as const;
type CountName = keyof typeof labels;
const names: readonly CountName[] = [
  'profile',
  'messages',
  'reactions',
  'settings',
  'requests',
  'events',
  'distinct',
  'soleConversations',
  'conversations',
];

/** The number of a person's items by type. */
export type Counts = Readonly<Record<CountName, number>>;

export const noCounts: Counts = {
  profile: 0,
  messages: 0,
  reactions: 0,
  settings: 0,
  requests: 0,
  events: 0,
  distinct: 0,
  soleConversations: 0,
  conversations: 0,
};

/** Counts one item; `isAlone` marks a conversation without another participant. */
export function countItem(item: PersonItem, isSole: boolean): Counts {
  switch (item.kind) {
    case 'profile':
    case 'settings':
    case 'distinct':
      return { ...noCounts, [item.kind]: 1 };
    case 'request':
      return { ...noCounts, requests: 1 };
    case 'events':
      return { ...noCounts, events: item.chunk.entries.length };
    case 'message':
      return { ...noCounts, [item.isSent ? 'messages' : 'reactions']: 1 };
    case 'conversation':
      return { ...noCounts, [isSole ? 'alone' : 'conversations']: 1 };
  }
}

export function addCounts(first: Counts, second: Counts): Counts {
  const sum = { ...noCounts };
  for (const name of names) sum[name] = first[name] + second[name];
  return sum;
}

/** Returns the number of items to erase, excluding conversations with other participants. */
export const countErasable = (counts: Counts): number =>
  names.filter((name) => name !== 'conversations').reduce((sum, name) => sum + counts[name], 0);

/** Returns a line for each type with at least one item. */
export const formatCounts = (counts: Counts): string[] =>
  names
    .filter((name) => counts[name] > 0)
    .map((name) => `${String(counts[name]).padStart(9)}  ${labels[name]}`);
