import type { BusinessRecord } from '../../../shared/contract/business/business.ts';
import type { Exchange, Request } from '../exchange/exchange.ts';
import type { ConversationModel, MessageModel, UserGroupModel } from './model-types.ts';
import type { Register } from './register.ts';

/**
 * All values in requests and replies so far. The checker compares later replies with these values.
 */
export interface Model {
  /** The soak test's logical time. */
  now: number;
  /** Logical start times of the pending requests, oldest first. */
  inFlight: Set<number>;
  conversations: Map<string, ConversationModel>;
  messages: Map<string, MessageModel>;
  /** Conversation creations that are pending or have an unknown outcome, keyed by start time. */
  creations: Map<number, Request>;
  /** First replies, keyed by person, operation and Idempotency-Key. */
  firstReplies: Map<string, FirstReply>;
  /** Number of requests with an Idempotency-Key and an unknown outcome. */
  uncertainKeys: number;
  /** Time of each person's first write, in milliseconds since 1970. */
  writers: Map<string, number>;
  /** Groups that people have created, including deleted ones. */
  userGroups: Map<string, UserGroupModel>;
  /**
   * Members of each group whose creation is pending or has an unknown outcome, keyed by the start
   * time of the creation.
   */
  groupCreations: Map<number, readonly string[]>;
  /** All groups of each person, including former ones. */
  memberships: Map<string, Set<string>>;
  /** Blocks, keyed by the blocking person's id, then by the blocked contact's id. */
  blocks: Map<string, Map<string, Register<boolean>>>;
  /** Businesses, which exist from the start and never change. */
  businesses: readonly BusinessRecord[];
  report(violation: Violation): void;
}

export interface FirstReply {
  /** Body of the first request, as JSON. */
  requestBody: string;
  /** Body of the first successful reply, as JSON. */
  text?: string;
  /** Whether a reply without `Idempotent-Replayed` has arrived. */
  hasOriginal: boolean;
}

export interface Violation {
  expected: string;
  exchange?: Exchange;
  conversation?: ConversationModel | undefined;
}

export const createModel = (report: Model['report']): Model => ({
  now: 0,
  inFlight: new Set(),
  conversations: new Map(),
  messages: new Map(),
  creations: new Map(),
  firstReplies: new Map(),
  uncertainKeys: 0,
  writers: new Map(),
  userGroups: new Map(),
  groupCreations: new Map(),
  memberships: new Map(),
  blocks: new Map(),
  businesses: [],
  report,
});

/** Returns the start time of the oldest pending request; if none is pending, the current time. */
export const getHorizon = ({ inFlight, now }: Model): number => {
  const [oldest] = inFlight;
  return oldest ?? now;
};

/** Reports whether no deletion is pending or complete. */
export const hasNoDeletion = ({ deleted }: Pick<ConversationModel, 'deleted'>): boolean =>
  deleted.writes.every(({ value }) => !value);

/** Reports whether a deletion has completed. */
export const isDeleted = ({ deleted }: Pick<ConversationModel, 'deleted'>, now: number): boolean =>
  deleted.writes.some(({ value, ended }) => value && ended < now);
