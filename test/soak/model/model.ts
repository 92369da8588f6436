import type { BusinessRecord } from '../../../shared/contract/business/business.ts';
import type { Exchange, Request } from '../exchange/exchange.ts';
import type { ConversationModel, MessageModel } from './model-types.ts';

/** All that the soak knows: what was sent and shown so far, and so what may be shown from now on. */
export interface Model {
  /** The soak's own time. */
  now: number;
  /** When the requests under way began, the oldest first. */
  inFlight: Set<number>;
  conversations: Map<string, ConversationModel>;
  messages: Map<string, MessageModel>;
  /** Creations that are under way or of unknown outcome, by their begin. */
  creations: Map<number, Request>;
  /** What Idempotency-Keys were used for: by person, operation and key. */
  firstReplies: Map<string, FirstReply>;
  /** How many requests with a key have an unknown outcome. */
  uncertainKeys: number;
  /** When each person was first known to have written, in milliseconds since 1970. */
  writers: Map<string, number>;
  /** All groups that each person has ever been in. */
  memberships: Map<string, Set<string>>;
  /** All that there are: they are there before anybody asks, and nobody changes them. */
  businesses: readonly BusinessRecord[];
  report(violation: Violation): void;
}

export interface FirstReply {
  /** What was asked, as JSON. */
  asked: string;
  /** What was answered, as JSON; undefined until it has been. */
  text?: string;
  /** The reply that says it is none given again has come. */
  originalCame: boolean;
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
  memberships: new Map(),
  businesses: [],
  report,
});

/** The begin of the oldest request that is under way. */
export const getHorizon = ({ inFlight: underWay, now }: Model): number => {
  const [oldest] = underWay;
  return oldest ?? now;
};

/** Nobody has begun to delete it. */
export const isAlive = ({ deleted: gone }: Pick<ConversationModel, 'deleted'>): boolean =>
  gone.writes.every(({ value }) => !value);

/** Certainly deleted by now. */
export const isDeleted = (
  { deleted: gone }: Pick<ConversationModel, 'deleted'>,
  now: number,
): boolean => gone.writes.some(({ value, ended }) => value && ended < now);
