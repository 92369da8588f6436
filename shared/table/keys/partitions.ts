import type { PartitionKind } from '../../contract/operation.ts';
import {
  activeBusinessPartition,
  businessCellKey,
  businessIndustryKey,
  businessKey,
  businessTitleKey,
} from './business-keys.ts';
import { groupMembersPartition } from './group-keys.ts';
import {
  assignedPartition,
  chunkKey,
  contactInboxPartition,
  contactKey,
  conversationKey,
  distinctKey,
  epochKey,
  flaggedPartition,
  groupHeadKey,
  groupInboxPartition,
  namedPartition,
  pairPartition,
  reportPartition,
  requestCountKey,
  unsentPartition,
  uploadCountKey,
} from './keys.ts';
import type { IndexName } from './names.ts';
import { webhookEndpointKey } from './webhook-keys.ts';

export interface Partitions {
  kind: PartitionKind;
  /** `undefined` for the table itself. */
  index?: IndexName;
  /** Patterns of the partition keys; `*` matches any characters. */
  keys: readonly string[];
}

const anyId = '*';
const noFlags = { muted: false, archived: false, pinned: false };

const upToId = (key: string) => key.slice(0, key.indexOf(anyId) + anyId.length);

const businessEntryPartitions = [
  businessIndustryKey(anyId, anyId).pk,
  businessTitleKey(anyId).pk,
  businessCellKey(anyId).pk,
];

/** Partitions to which the `calls` of an operation grant access, grouped by kind. */
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
  { kind: 'groupFeeds', keys: [chunkKey({ kind: 'group', id: anyId }, 1).pk] },
  { kind: 'groups', keys: [groupHeadKey(anyId).pk] },
  { kind: 'requestCounts', keys: [requestCountKey(anyId, 0).pk] },
  { kind: 'uploadCounts', keys: [uploadCountKey(anyId, 0).pk] },
  { kind: 'epoch', keys: [epochKey.pk] },
  { kind: 'businesses', keys: [businessKey(anyId).pk] },
  { kind: 'distinctPairs', keys: [upToId(distinctKey(anyId, anyId).pk)] },
  {
    kind: 'inboxes',
    index: 'gsi1',
    keys: [contactInboxPartition(anyId), groupInboxPartition(anyId)],
  },
  { kind: 'groupInboxes', index: 'gsi1', keys: [groupInboxPartition(anyId)] },
  { kind: 'groupMembers', index: 'gsi1', keys: [groupMembersPartition(anyId)] },
  { kind: 'inboxes', index: 'gsi2', keys: [contactInboxPartition(anyId)] },
  { kind: 'flagged', index: 'gsi3', keys: [upToId(flaggedPartition(anyId, noFlags))] },
  { kind: 'pairs', index: 'gsi3', keys: [upToId(pairPartition(anyId, anyId))] },
  { kind: 'namingConversations', index: 'gsi3', keys: [upToId(namedPartition(anyId))] },
  { kind: 'assigned', index: 'gsi3', keys: [upToId(assignedPartition(anyId))] },
  { kind: 'openReports', index: 'gsi3', keys: [reportPartition(anyId, true)] },
  { kind: 'unsentUploads', index: 'gsi3', keys: [unsentPartition(anyId)] },
  { kind: 'businessEntries', keys: businessEntryPartitions },
  { kind: 'businessEntries', index: 'gsi1', keys: businessEntryPartitions },
  { kind: 'webhookEndpoints', keys: [webhookEndpointKey(anyId).pk] },
  { kind: 'activeBusinesses', index: 'gsi1', keys: [activeBusinessPartition] },
];
