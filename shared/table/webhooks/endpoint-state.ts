import { update } from '../calls/access.ts';
import { webhookEndpointKey } from '../keys/webhook-keys.ts';
import { parseEndpoint } from './endpoint-item.ts';

/** Number of consecutive failed attempts after which an endpoint is paused. */
const maxFailures = 20;
/** Minimum duration of consecutive failures, in seconds, before an endpoint is paused. */
const minFailingSeconds = 3600;
/** Seconds between probes of a paused endpoint. */
export const probeSeconds = 300;

/**
 * Records a successful attempt: resets the failure count and resumes a paused endpoint. A slow
 * attempt increments the count of slow attempts; a fast one resets it. Changes nothing if the
 * endpoint is disabled.
 */
export async function recordSuccess(id: string, isFast: boolean): Promise<void> {
  await update({
    Key: webhookEndpointKey(id),
    UpdateExpression: `SET #state = :active, failures = :none${
      isFast ? ', slow_attempts = :none' : ''
    } REMOVE failing_since, probe_at, #reason${isFast ? '' : ' ADD slow_attempts :one'}`,
    ConditionExpression: 'attribute_exists(id) AND #state <> :disabled',
    ExpressionAttributeNames: { '#state': 'state', '#reason': 'reason' },
    ExpressionAttributeValues: {
      ':active': 'active',
      ':disabled': 'disabled',
      ':none': 0,
      ...(!isFast && { ':one': 1 }),
    },
  });
}

/**
 * Counts a failed attempt at `now` (Unix seconds). Pauses an active endpoint after `maxFailures`
 * consecutive failures over at least `minFailingSeconds`.
 */
export async function recordFailure(id: string, now: number): Promise<void> {
  const counted = await update({
    Key: webhookEndpointKey(id),
    UpdateExpression:
      'SET failing_since = if_not_exists(failing_since, :now) ADD failures :one, slow_attempts :one',
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ':now': now, ':one': 1 },
    ReturnValues: 'ALL_NEW',
  });
  if (!counted.done || !counted.item) return;
  const { failures, failing_since = now, state } = parseEndpoint(counted.item);
  const isDead = failures >= maxFailures && now - failing_since >= minFailingSeconds;
  if (!isDead || state !== 'active') return;
  await update({
    Key: webhookEndpointKey(id),
    UpdateExpression: 'SET #state = :paused, probe_at = :probe, #reason = :reason',
    ConditionExpression: '#state = :active',
    ExpressionAttributeNames: { '#state': 'state', '#reason': 'reason' },
    ExpressionAttributeValues: {
      ':active': 'active',
      ':paused': 'paused',
      ':probe': now + probeSeconds,
      ':reason': `${failures} attempts failed`,
    },
  });
}

/**
 * Reserves the next probe if the endpoint is paused and a probe is due at `now` (Unix seconds).
 * Otherwise, returns false.
 */
export async function claimProbe(id: string, now: number): Promise<boolean> {
  const { done } = await update({
    Key: webhookEndpointKey(id),
    UpdateExpression: 'SET probe_at = :next',
    ConditionExpression: '#state = :paused AND probe_at <= :now',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':paused': 'paused', ':now': now, ':next': now + probeSeconds },
  });
  return done;
}

/**
 * Disables an endpoint until an operator enables it. Returns false if the endpoint does not exist.
 */
export async function disableEndpoint(id: string, reason: string): Promise<boolean> {
  const { done } = await update({
    Key: webhookEndpointKey(id),
    UpdateExpression: 'SET #state = :disabled, #reason = :reason REMOVE probe_at',
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeNames: { '#state': 'state', '#reason': 'reason' },
    ExpressionAttributeValues: { ':disabled': 'disabled', ':reason': reason },
  });
  return done;
}

/** Enables a disabled or paused endpoint. Returns false if it does not exist. */
export async function enableEndpoint(id: string): Promise<boolean> {
  const { done } = await update({
    Key: webhookEndpointKey(id),
    UpdateExpression:
      'SET #state = :active, failures = :none REMOVE failing_since, probe_at, #reason',
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeNames: { '#state': 'state', '#reason': 'reason' },
    ExpressionAttributeValues: { ':active': 'active', ':none': 0 },
  });
  return done;
}
