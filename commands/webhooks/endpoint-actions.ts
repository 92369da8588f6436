import { Problem, toErrorMessage } from '../../lib/problem.ts';
import { clock, toSeconds } from '../../shared/clock.ts';
import { newEndpointId } from '../../shared/ids.ts';
import { putNew } from '../../shared/table/calls/access.ts';
import { removeItem } from '../../shared/table/calls/remove-items.ts';
import { webhookEndpointKey } from '../../shared/table/keys/webhook-keys.ts';
import {
  type EndpointItem,
  listEndpoints,
  minSlowAttempts,
  toStoredEndpoint,
} from '../../shared/table/webhooks/endpoint-item.ts';
import { disableEndpoint, enableEndpoint } from '../../shared/table/webhooks/endpoint-state.ts';
import { getSigningSecrets } from '../../shared/webhooks/endpoint-secrets.ts';
import { parseEndpointUrl, type Reach, UrlRefused } from '../../shared/webhooks/endpoint-url.ts';
import { requirePublicName } from '../../shared/webhooks/guarded-lookup.ts';
import {
  type EventFilter,
  matchesType,
  webhookTypes,
} from '../../shared/webhooks/matches-endpoint.ts';
import { postToEndpoint } from '../../shared/webhooks/post-to-endpoint.ts';
import { newSecret, signAttempt } from '../../shared/webhooks/signature.ts';
import { alignColumns } from '../cli/align-columns.ts';
import type { RunningStage } from '../stage/running-stage.ts';
import { replay } from './replay.ts';
import type { SecretStore } from './secret-store.ts';

export interface WebhookContext {
  secrets: SecretStore;
  reach: Reach;
}

const now = () => toSeconds(clock.now());

/**
 * Maximum number of endpoints per stage. Each execution environment of the sender reads all
 * endpoints every ten seconds and each secret every minute. Parameter Store allows 40 reads per
 * second.
 */
const maxEndpoints = 100;

/**
 * Adds an endpoint. Returns lines with the endpoint's secret, which no other command prints. Throws
 * a Problem for an unknown event type, a refused URL, or too many endpoints.
 */
export async function addEndpoint(
  { secrets, reach }: WebhookContext,
  input: EventFilter & { url: string },
): Promise<string[]> {
  const unknown = input.types.find(
    (pattern) => !webhookTypes.some((type) => matchesType(pattern, type)),
  );
  if (unknown !== undefined) {
    throw new Problem(
      `Unknown event type ${unknown}: use ${webhookTypes.join(', ')}, or 'message.*'.`,
    );
  }
  await requireUrl(input.url, reach);
  if ((await listEndpoints()).length >= maxEndpoints) {
    throw new Problem(`The stage already has ${maxEndpoints} endpoints, the maximum: remove one.`);
  }
  const id = newEndpointId(clock.now());
  const secret = newSecret();
  await secrets.write(id, { current: secret });
  const { url, types, group_id, contact_id } = input;
  const endpoint: EndpointItem = {
    ...{ id, url, types: [...types], group_id, contact_id },
    ...{ state: 'active', created_at: now(), failures: 0, slow_attempts: minSlowAttempts },
  };
  await putNew(toStoredEndpoint(endpoint));
  return [`Added the endpoint ${id}.`, ...toSecretLines(secret)];
}

async function requireUrl(text: string, reach: Reach): Promise<void> {
  try {
    const url = parseEndpointUrl(text, reach);
    if (reach === 'public') await requirePublicName(url.hostname);
  } catch (error) {
    if (error instanceof UrlRefused) throw new Problem(`The URL ${error.message}.`);
    throw new Problem(`Cannot resolve the host name of the URL ${text}.`);
  }
}

const toSecretLines = (secret: string) => [`Secret, shown only now: ${secret}`];

export async function listLines(): Promise<string[]> {
  const endpoints = await listEndpoints();
  if (endpoints.length === 0) return ['No endpoints.'];
  return alignColumns(
    endpoints.map(({ id, state, url, types, group_id, contact_id }) => [
      ...[id, state, url, types.join(',')],
      group_id ? `group ${group_id}` : contact_id ? `contact ${contact_id}` : '',
    ]),
    5,
  );
}

/**
 * Requeues the dead letters of one endpoint, or of all endpoints that are not disabled. Throws a
 * Problem if `id` names an unknown or disabled endpoint.
 */
export async function replayEvents(stage: RunningStage, id: string | undefined) {
  const endpoints = id === undefined ? await listEndpoints() : [await requireEndpoint(id)];
  const disabled = new Set(
    endpoints.filter(({ state }) => state === 'disabled').map((one) => one.id),
  );
  if (id !== undefined && disabled.has(id)) {
    throw new Problem(`The endpoint ${id} is disabled: enable it first.`);
  }
  const count = await replay(stage, { endpointId: id, disabled });
  return [
    `Events queued again: ${count}`,
    ...[...disabled].map(
      (one) => `The endpoint ${one} is disabled, so its events remain in the dead-letter queue.`,
    ),
  ];
}

export const showLines = async (id: string): Promise<string[]> => [
  JSON.stringify(await requireEndpoint(id), undefined, 2),
];

/** Creates a new secret. For a day, deliveries are also signed with the previous secret, if any. */
export async function rotateSecret({ secrets }: WebhookContext, id: string): Promise<string[]> {
  await requireEndpoint(id);
  const previous = (await secrets.read(id))?.current;
  const current = newSecret();
  await secrets.write(id, { current, previous, rotated_at: now() });
  return [
    ...(previous
      ? [`For a day, deliveries to ${id} are also signed with the previous secret.`]
      : []),
    ...toSecretLines(current),
  ];
}

/** Posts a test event from this machine, and returns the endpoint's reply. */
export async function testEndpoint(
  { secrets, reach }: WebhookContext,
  id: string,
): Promise<string[]> {
  const { url } = await requireEndpoint(id);
  const seconds = now();
  const event = { id: `test-${seconds}`, type: 'webhook.test' };
  const timestamp = new Date(seconds * 1000).toISOString();
  const body = JSON.stringify({ ...event, timestamp, version: 1, payload: null });
  const stored = await secrets.read(id);
  if (!stored) throw new Problem(`The endpoint ${id} has no secret: create one with rotate.`);
  const keys = getSigningSecrets(stored, seconds);
  const headers = {
    'content-type': 'application/json',
    ...signAttempt(keys, { id: event.id, seconds, body }),
  };
  const { status, text } = await postToEndpoint(url, headers, body, { reach }).catch((error) => {
    throw new Problem(`The request to ${url} failed: ${toErrorMessage(error)}`);
  });
  return [`The endpoint responded with status ${status}.`, ...(text ? [text] : [])];
}

export async function disable(id: string): Promise<string[]> {
  await requireEndpoint(id);
  await disableEndpoint(id, 'disabled by an operator');
  return [`Disabled the endpoint ${id}.`];
}

export async function enable(id: string): Promise<string[]> {
  await requireEndpoint(id);
  await enableEndpoint(id);
  return [
    `Enabled the endpoint ${id}. To send the missed events, run the command again with replay instead of enable.`,
  ];
}

/**
 * Removes the endpoint before its secret, so that every endpoint still has its secret after an
 * interruption.
 */
export async function removeEndpoint({ secrets }: WebhookContext, id: string): Promise<string[]> {
  await requireEndpoint(id);
  await removeItem(webhookEndpointKey(id));
  await secrets.remove(id);
  return [`Removed the endpoint ${id}.`];
}

async function requireEndpoint(id: string): Promise<EndpointItem> {
  const endpoint = (await listEndpoints()).find((one) => one.id === id);
  if (!endpoint) throw new Problem(`There is no endpoint ${id}.`);
  return endpoint;
}
