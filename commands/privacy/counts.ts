import type { Thing } from './things.ts';

const rows = {
  profile: 'the contact’s record',
  messages: 'messages that they sent',
  reactions: 'messages of others with reactions of theirs',
  settings: 'settings of conversations: flags, and how far they have read',
  requests: 'records of requests with an Idempotency-Key',
  events: 'entries of their own feed',
  distinct: 'notes of which conversation is the one of two',
  alone: 'conversations in which nobody else is left, with all that is in them',
  conversations: 'conversations that others are in too',
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

/** What there is of somebody, or was: how many things of each kind. */
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

/** One thing; `isAlone` says of a conversation that nobody else is in it. */
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

/** How many things there are to be erased: the conversations of others stay. */
export const toErase = (counts: Counts): number =>
  names.filter((name) => name !== 'conversations').reduce((sum, name) => sum + counts[name], 0);

/** A line for each kind of which there is something. */
export const countLines = (counts: Counts): string[] =>
  names
    .filter((name) => counts[name] > 0)
    .map((name) => `${String(counts[name]).padStart(9)}  ${rows[name]}`);
