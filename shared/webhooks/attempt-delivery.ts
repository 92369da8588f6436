import { clock, toSeconds } from '../clock.ts';
import { env } from '../env.ts';
import { random } from '../ids.ts';
import { describeCause } from '../log/describe-cause.ts';
import { log } from '../log/log.ts';
import { type EndpointItem, getLane, minSlowAttempts } from '../table/webhooks/endpoint-item.ts';
import {
  claimProbe,
  disableEndpoint,
  probeSeconds,
  recordFailure,
  recordSuccess,
} from '../table/webhooks/endpoint-state.ts';
import { maxDelaySeconds } from './aws-calls.ts';
import type { Delivery } from './delivery.ts';
import { type EndpointSecrets, getSigningSecrets, readSecrets } from './endpoint-secrets.ts';
import { findEndpoint, forgetEndpoints } from './endpoints-cache.ts';
import { type EndpointReply, postToEndpoint } from './post-to-endpoint.ts';
import { keepDeadLetter, queueDelivery } from './queue-delivery.ts';
import { getNextAttempt, maxRetrySeconds } from './retry-schedule.ts';
import { signAttempt } from './signature.ts';

/** Outcome of a call. `waiting` and `ended` mean that the call made no attempt. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'waiting' | 'ended';

/** Maximum duration of a fast attempt, in milliseconds. */
const maxFastMilliseconds = 2000;

interface Attempt {
  /** `undefined` if the endpoint did not reply. */
  reply: EndpointReply | undefined;
  milliseconds: number;
}

/**
 * Attempts a delivery if it is due, and queues it again unless it has ended. A 410 reply disables
 * the endpoint. A delivery ends if it succeeds, if three days have passed, or if its endpoint is
 * removed or disabled. The event then becomes a dead letter, unless the delivery succeeded or the
 * endpoint was removed. Rejects only if the table, the queue or Parameter Store fails.
 */
export async function attemptDelivery(delivery: Delivery): Promise<DeliveryOutcome> {
  const now = toSeconds(clock.now());
  const endpoint = await findEndpoint(delivery.endpoint_id);
  if (!endpoint) return 'ended';
  if (endpoint.state === 'disabled') return end(delivery, 'the endpoint is disabled');
  if (delivery.lane === 'fast' && getLane(endpoint) === 'slow')
    return wait(delivery, delivery.due, now);
  const isPaused = endpoint.state === 'paused';
  if (isPaused) {
    if (now > delivery.first_at + maxRetrySeconds) return end(delivery, 'three days have passed');
    // Waits as long as possible, even past the next probe, because each wait costs SQS requests.
    if (!(await isProbe(endpoint, now))) return wait(delivery, now + maxDelaySeconds, now);
  } else if (now < delivery.due) return wait(delivery, delivery.due, now);
  const attempt = await post(endpoint, delivery, now);
  if (isSuccess(attempt)) return succeed(endpoint, attempt);
  const { id } = endpoint;
  const isRemoved = attempt.reply?.status === 410;
  await (isRemoved ? disableEndpoint(id, 'returned 410') : recordFailure(id, now));
  // The next delivery must read the new state, and the next success must reset the failure count.
  forgetEndpoints();
  if (isRemoved) {
    await keepDeadLetter(delivery, 'returned 410');
    return 'failed';
  }
  const attempted = { ...delivery, attempts: delivery.attempts + 1 };
  if (isPaused) await wait(attempted, now + probeSeconds, now);
  else await retry(attempted, now, attempt.reply);
  return 'failed';
}

/** Reserves the next probe of a paused endpoint if it is due; otherwise returns false. */
const isProbe = async ({ id, probe_at: probeAt = 0 }: EndpointItem, now: number) =>
  probeAt <= now && claimProbe(id, now);

const isSuccess = ({ reply }: Attempt) =>
  reply !== undefined && reply.status >= 200 && reply.status < 300;

async function succeed(
  endpoint: EndpointItem,
  { milliseconds }: Attempt,
): Promise<DeliveryOutcome> {
  const isFast = milliseconds <= maxFastMilliseconds;
  const { id, state, failures, slow_attempts } = endpoint;
  const changesLane = isFast ? slow_attempts > 0 : slow_attempts < minSlowAttempts;
  if (state === 'paused' || failures > 0 || changesLane) {
    await recordSuccess(id, isFast);
    forgetEndpoints();
  }
  return 'delivered';
}

async function post(endpoint: EndpointItem, delivery: Delivery, seconds: number): Promise<Attempt> {
  const secrets = await readSecrets(env('WEBHOOK_SECRETS'), endpoint.id);
  const start = performance.now();
  const { reply, ...outcome } = await postAttempt(endpoint, delivery, secrets, seconds).then(
    (reply) => ({ reply, status: reply.status }),
    (error) => ({ reply: undefined, cause: describeCause(error) }),
  );
  const milliseconds = Math.round(performance.now() - start);
  const { event, attempts } = delivery;
  const facts = { endpoint: endpoint.id, event: event.id, type: event.type, attempt: attempts + 1 };
  log({ level: 'INFO', operation: 'webhook_attempt', ...facts, milliseconds, ...outcome });
  return { reply, milliseconds };
}

async function postAttempt(
  { url }: EndpointItem,
  { event, body }: Delivery,
  secrets: EndpointSecrets | undefined,
  seconds: number,
): Promise<EndpointReply> {
  if (!secrets) throw new Error('The endpoint has no secret.');
  const signature = signAttempt(getSigningSecrets(secrets, seconds), {
    id: event.id,
    seconds,
    body,
  });
  const headers = { 'content-type': 'application/json', 'user-agent': 'messaging-service' };
  const reach = env('WEBHOOK_REACH') === 'local' ? 'local' : 'public';
  return postToEndpoint(url, { ...headers, ...signature }, body, { reach });
}

async function retry(
  delivery: Delivery,
  now: number,
  reply: EndpointReply | undefined,
): Promise<void> {
  const { attempts, first_at: firstAt } = delivery;
  const due = getNextAttempt({
    ...{ attempts, firstAt, now, retryAfter: reply?.retryAfter },
    random: (random.bytes(1)[0] ?? 0) / 255,
  });
  await (due === undefined
    ? keepDeadLetter(delivery, reply ? `returned ${reply.status}` : 'no reply')
    : wait(delivery, due, now));
}

/** Queues a delivery again, in the slow lane: only first attempts use the fast lane. */
async function wait(delivery: Delivery, due: number, now: number): Promise<DeliveryOutcome> {
  await queueDelivery({ ...delivery, lane: 'slow', due }, now);
  return 'waiting';
}

async function end(delivery: Delivery, reason: string): Promise<DeliveryOutcome> {
  await keepDeadLetter(delivery, reason);
  return 'ended';
}
