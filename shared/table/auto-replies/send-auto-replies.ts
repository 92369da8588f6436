import { ApiError } from '../../api-error.ts';
import { createBoundedCache } from '../../bounded-cache.ts';
import type { Caller } from '../../caller.ts';
import { clock, toSeconds } from '../../clock.ts';
import type { BusinessRecord } from '../../contract/business/business.ts';
import { parseBusinessGroup, toBusinessGroup } from '../../contract/business/business-group.ts';
import { describeCause } from '../../log/describe-cause.ts';
import { log } from '../../log/log.ts';
import { getOpening } from '../../opening-hours.ts';
import type { StreamChange } from '../../stream-change.ts';
import { lookUpBusinesses } from '../businesses/get-business.ts';
import { getItem, type Item, transact } from '../calls/access.ts';
import { getParticipants } from '../feed/conversation-inboxes.ts';
import type { AppendedEvent } from '../feed/publish-to-feeds.ts';
import type { Commit } from '../idempotency.ts';
import { idempotencyRecordKey } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';
import { appendMessage } from '../messages/write/append-message.ts';

interface CustomerMessage {
  conversationId: string;
  businessId: string;
  /** Unix seconds. */
  sentAt: number;
  change: StreamChange;
}

/**
 * Sends the automatic reply of a closed business to customers who write to it, once per
 * conversation and closed period. Safe to repeat and to run concurrently. Returns the number of
 * replies sent and the changes to retry.
 */
export async function sendAutoReplies(
  events: readonly AppendedEvent[],
): Promise<{ sent: number; failed: ReadonlySet<StreamChange> }> {
  const failed = new Set<StreamChange>();
  let sent = 0;
  const attempt = async (changes: StreamChange[], action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      log({ level: 'ERROR', operation: 'auto_reply', cause: describeCause(error) });
      for (const change of changes) failed.add(change);
    }
  };
  const businessEvents = events.filter(isMessageToBusiness);
  await attempt(businessEvents.map(toChange), async () => {
    const customerMessages = await findCustomerMessages(businessEvents);
    const findReply = await lookUpReplies(customerMessages.map(({ businessId }) => businessId));
    const byConversation = Map.groupBy(customerMessages, ({ conversationId }) => conversationId);
    const sendReplies = (customerMessages: CustomerMessage[]) =>
      attempt(customerMessages.map(toChange), async () => {
        for (const customerMessage of customerMessages) {
          const reply = findReply(customerMessage.businessId);
          if (reply && (await replyOnce(customerMessage, reply))) sent += 1;
        }
      });
    await Promise.all(Array.from(byConversation.values(), sendReplies));
  });
  return { sent, failed };
}

const toChange = ({ change }: Pick<CustomerMessage, 'change'>) => change;

/** Reports whether the event is a new message in a business's feed, not in the customer's. */
const isMessageToBusiness = ({ inbox, entry }: AppendedEvent): boolean =>
  inbox.kind === 'group' &&
  parseBusinessGroup(inbox.id) !== undefined &&
  entry.type === 'message.created';

/** Returns the messages from customers, who are the contacts named in the conversations. */
async function findCustomerMessages(events: readonly AppendedEvent[]): Promise<CustomerMessage[]> {
  const findParticipants = await getParticipants(
    events.flatMap(({ message }) => message?.conversation_id ?? []),
  );
  return events.flatMap(({ message, inbox, change }) => {
    const businessId = parseBusinessGroup(inbox.id);
    if (!message || !businessId) return [];
    const { conversation_id: conversationId, sent_by, created_at } = message;
    const isFromCustomer = findParticipants(conversationId)?.contact_id === sent_by;
    return isFromCustomer
      ? [{ conversationId, businessId, sentAt: toSeconds(created_at), change }]
      : [];
  });
}

interface AutoReply {
  /** The business, acting as a member of its staff. No token has this id. */
  sender: Caller;
  text: string;
  hours: Pick<BusinessRecord, 'work_time' | 'timezone'>;
}

/** Automatic replies by business id; null if a business has none. Cached for a minute. */
const replyCache = createBoundedCache<AutoReply | null>(1000, 60_000);

const lookUpReplies = (businessIds: readonly string[]) =>
  replyCache.lookUp(businessIds, async (missing) => {
    const findBusiness = await lookUpBusinesses(missing);
    return missing.map((id) => [id, toAutoReply(findBusiness(id))]);
  });

function toAutoReply(business: BusinessRecord | undefined): AutoReply | null {
  if (!business?.auto_reply) return null;
  const { public_id, title, image, auto_reply: text, work_time, timezone } = business;
  const id = toBusinessGroup(public_id);
  return {
    sender: {
      id,
      groups: [id],
      tokenExpiresAt: 0,
      username: title,
      phone_number: null,
      avatar_url: image,
    },
    text,
    hours: { work_time, timezone },
  };
}

/**
 * Sends the reply if the closed period has not ended and no reply was sent during that period.
 * Returns whether this call sent the reply.
 */
async function replyOnce(
  { conversationId, sentAt }: CustomerMessage,
  { sender, text, hours }: AutoReply,
): Promise<boolean> {
  const closedUntil = getClosedUntil(hours, sentAt);
  if (closedUntil <= toSeconds(clock.now())) return false;
  const key = idempotencyRecordKey(sender.id, 'auto_reply', conversationId);
  const found = await getItem(key);
  if (found && isUnexpired(found, sentAt)) return false;
  const commit: Commit = async ({ writes }) => {
    const record = { ...key, [expiryAttribute]: closedUntil };
    const result = await transact([...writes, { put: record, replaceIfExpiredAt: sentAt }]);
    if (result.outcomes.at(-1)?.isSatisfied === false) throw new AlreadySentError();
    return result;
  };
  try {
    await appendMessage(conversationId, sender, { message: text, attachments: [] }, commit);
    return true;
  } catch (error) {
    const isDeleted = error instanceof ApiError && error.code === 'not_found';
    if (isDeleted || error instanceof AlreadySentError) return false;
    throw error;
  }
}

class AlreadySentError extends Error {}

const isUnexpired = (record: Item, seconds: number) => Number(record[expiryAttribute]) > seconds;

/** Assumed length of a closed period if the business does not open within the next eight days. */
const longestPeriodSeconds = 8 * 24 * 60 * 60;

/**
 * Returns the end of the closed period in Unix seconds, or 0 if the business is open or its hours
 * are unknown.
 */
function getClosedUntil(hours: AutoReply['hours'], at: number): number {
  const opening = getOpening(hours, at);
  if (!opening || opening.open_now) return 0;
  return opening.opens_at ?? at + longestPeriodSeconds;
}
