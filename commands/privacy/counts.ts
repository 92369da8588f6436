import type { Thing } from './things.ts';

const rows = {
  profile: 'the profile',
  messages: 'messages they sent',
  reactions: 'messages of others with their reactions',
  settings: 'conversation settings: flags and read positions',
  requests: 'records of requests with an Idempotency-Key',
  events: 'entries of their own feed',
  distinct: 'records that identify direct conversations',
  alone: 'conversations without another participant, with all their content',
  conversations: 'conversations with other participants',
} as const;
type CountName = keyof typeof rows;
const names: readonly CountName[] = [
  'profile',
  'messages',
  'reactions',
  'settings',
  'requests',
  'events',
  'distinct',
  'alone',
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
  alone: 0,
  conversations: 0,
};

/** Counts one item; `isAlone` marks a conversation without another participant. */
export function countOf(thing: Thing, isAlone: boolean): Counts {
  switch (thing.kind) {
    case 'profile':
    case 'settings':
    case 'distinct':
      return { ...noCounts, [thing.kind]: 1 };
    case 'request':
      return { ...noCounts, requests: 1 };
    case 'events':
      return { ...noCounts, events: thing.chunk.entries.length };
    case 'message':
      return { ...noCounts, [thing.isSent ? 'messages' : 'reactions']: 1 };
    case 'conversation':
      return { ...noCounts, [isAlone ? 'alone' : 'conversations']: 1 };
  }
}

export function sumOf(one: Counts, other: Counts): Counts {
  const sum = { ...noCounts };
  for (const name of names) sum[name] = one[name] + other[name];
  return sum;
}

/** Returns the number of items to erase, excluding conversations with other participants. */
export const toErase = (counts: Counts): number =>
  names.filter((name) => name !== 'conversations').reduce((sum, name) => sum + counts[name], 0);

/** Returns a line for each type with at least one item. */
export const countLines = (counts: Counts): string[] =>
  names
    .filter((name) => counts[name] > 0)
    .map((name) => `${String(counts[name]).padStart(9)}  ${rows[name]}`);
