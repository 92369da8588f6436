import { clock, toSeconds } from '../clock.ts';
import { env } from '../env.ts';
import { random } from '../ids.ts';
import { describeCause } from '../log/describe-cause.ts';
import { log } from '../log/log.ts';
import type { EndpointItem } from '../table/webhooks/endpoint-item.ts';
import {
  claimProbe,
  disableEndpoint,
  probeSeconds,
  recordFailure,
  recordSuccess,
} from '../table/webhooks/endpoint-state.ts';
import { sendMessage } from './aws-calls.ts';
import type { DeadLetter, Delivery } from './delivery.ts';
import { getSigningSecrets, readSecrets } from './endpoint-secrets.ts';
import { forgetEndpoints, getEndpoints } from './endpoints-cache.ts';
import { type EndpointReply, postToEndpoint } from './post-to-endpoint.ts';
import { getNextAttempt, maxRetrySeconds } from './retry-schedule.ts';
import { signAttempt } from './signature.ts';

/** What became of a delivery: `waiting` until it is due, or while its endpoint is paused. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'waiting' | 'ended' | 'dropped';

/**
 * Attempts a delivery that is due, and queues it again unless it ended. A delivery ends by success,
 * three days after it began, and when its endpoint is disabled; without success, its event becomes
 * a dead letter. Rejects only if the table, the queue or the secrets fail.
 */
export async function attemptDelivery(delivery: Delivery): Promise<DeliveryOutcome> {
  const now = toSeconds(clock.now());
  const endpoint = (await getEndpoints()).get(delivery.endpoint_id);
  if (!endpoint) return 'dropped';
  if (endpoint.state === 'disabled') return end(delivery, 'the endpoint is disabled');
  const isPaused = endpoint.state === 'paused';
  if (isPaused && !(await claimProbe(endpoint.id, now))) return park(delivery, now);
  if (!isPaused && now < delivery.due) return wait(delivery, now);
  const reply = await post(endpoint, delivery, now);
  if (reply && reply.status >= 200 && reply.status < 300) {
    if (isPaused || endpoint.failures > 0) {
      await recordSuccess(endpoint.id);
      forgetEndpoints();
    }
    return 'delivered';
  }
  if (reply?.status === 410) {
    await disableEndpoint(endpoint.id, 'answered 410');
    forgetEndpoints();
    return end(delivery, 'answered 410');
  }
  await recordFailure(endpoint.id, now);
  // The state may have changed, and a later success must know of this failure.
  forgetEndpoints();
  const attempted = { ...delivery, attempts: delivery.attempts + 1 };
  if (!isPaused) return retry(attempted, now, reply);
  await park(attempted, now);
  return 'failed';
}

/** Posts the delivery and logs the attempt without its content. Undefined without a reply. */
async function post(
  { id, url }: EndpointItem,
  { event, body, attempts }: Delivery,
  seconds: number,
): Promise<EndpointReply | undefined> {
  const secrets = getSigningSecrets(await readSecrets(env('WEBHOOK_SECRETS'), id), seconds);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'messaging-service',
    ...signAttempt(secrets, { id: event.id, seconds, body }),
  };
  const facts = { endpoint: id, event: event.id, type: event.type, attempt: attempts + 1 };
  const start = performance.now();
  const reach = env('WEBHOOK_REACH') === 'local' ? 'local' : 'public';
  const result = await postToEndpoint(url, headers, body, { reach }).then(
    (reply) => ({ reply }),
    (error) => ({ cause: describeCause(error) }),
  );
  const milliseconds = Math.round(performance.now() - start);
  const reply = 'reply' in result ? result.reply : undefined;
  const outcome = 'cause' in result ? { cause: result.cause } : { status: reply?.status };
  log({ level: 'INFO', operation: 'webhook_attempt', ...facts, milliseconds, ...outcome });
  return reply;
}

async function retry(
  delivery: Delivery,
  now: number,
  reply: EndpointReply | undefined,
): Promise<DeliveryOutcome> {
  const { attempts, first_at: firstAt } = delivery;
  const due = getNextAttempt({
    ...{ attempts, firstAt, now, retryAfter: reply?.retryAfter },
    random: (random.bytes(1)[0] ?? 0) / 255,
  });
  if (due === undefined) {
    await end(delivery, reply ? `answered ${reply.status}` : 'no reply');
    return 'ended';
  }
  await wait({ ...delivery, due }, now);
  return 'failed';
}

/** Keeps a delivery to a paused endpoint until the next probe may be due. */
function park(delivery: Delivery, now: number): Promise<DeliveryOutcome> {
  if (now > delivery.first_at + maxRetrySeconds) return end(delivery, 'three days have passed');
  return wait({ ...delivery, due: now + probeSeconds }, now);
}

/** Queues the delivery again. A longer delay than the queue allows is several of them. */
async function wait(delivery: Delivery, now: number): Promise<DeliveryOutcome> {
  const { endpoint_id: group, due } = delivery;
  await sendMessage(env('WEBHOOK_QUEUE_URL'), delivery, { delaySeconds: due - now, group });
  return 'waiting';
}

/** Keeps the event without its content. */
async function end({ endpoint_id, event }: Delivery, reason: string): Promise<DeliveryOutcome> {
  const letter: DeadLetter = { endpoint_id, event, reason };
  await sendMessage(env('WEBHOOK_DEAD_LETTERS_URL'), letter, { group: endpoint_id });
  return 'ended';
}
