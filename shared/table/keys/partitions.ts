import type { PartitionKind } from '../../contract/operation.ts';
import {
  activeBusinesses,
  businessKey,
  chunkKey,
  contactInbox,
  contactKey,
  conversationKey,
  distinctKey,
  epochKey,
  flaggedPartition,
  groupInbox,
  namedPartition,
  pairPartition,
} from './keys.ts';
import type { IndexName } from './names.ts';

/** Partitions of a kind, in one place. */
export interface Partitions {
  kind: PartitionKind;
  /** Undefined for the table itself. */
  index?: IndexName;
  /** What their keys look like, `*` for any characters. */
  keys: readonly string[];
}

const anyId = '*';
const noFlags = { muted: false, archived: false, pinned: false };

/** What comes after the id is not told apart. */
const upToId = (key: string) => key.slice(0, key.indexOf(anyId) + anyId.length);

/** Where the partitions are that the contract's rows speak of, in the words of keys.ts. */
export const partitions: readonly Partitions[] = [
  { kind: 'conversations', keys: [conversationKey(anyId).pk] },
  { kind: 'contacts', keys: [contactKey(anyId).pk] },
  {
    kind: 'feeds',
    keys: [
      chunkKey({ kind: 'contact', id: anyId }, 1).pk,
      chunkKey({ kind: 'group', id: anyId }, 1).pk,
    ],
  },
  { kind: 'epoch', keys: [epochKey.pk] },
  { kind: 'businesses', keys: [businessKey(anyId).pk] },
  { kind: 'distinctPairs', keys: [upToId(distinctKey(anyId, anyId).pk)] },
  { kind: 'inboxes', index: 'gsi1', keys: [contactInbox(anyId), groupInbox(anyId)] },
  { kind: 'groupInboxes', index: 'gsi1', keys: [groupInbox(anyId)] },
  { kind: 'inboxes', index: 'gsi2', keys: [contactInbox(anyId)] },
  { kind: 'flagged', index: 'gsi3', keys: [upToId(flaggedPartition(anyId, noFlags))] },
  { kind: 'pairs', index: 'gsi3', keys: [upToId(pairPartition(anyId, anyId))] },
  { kind: 'named', index: 'gsi3', keys: [upToId(namedPartition(anyId))] },
  { kind: 'activeBusinesses', index: 'gsi1', keys: [activeBusinesses] },
];
