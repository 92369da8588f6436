import * as v from 'valibot';
import { createBoundedCache } from '../bounded-cache.ts';
import { getSecureParameter } from './aws-calls.ts';

/** Seconds for which the previous secret also signs after a rotation: one day. */
export const rotationSeconds = 86_400;

/** Value of the parameter that stores an endpoint's secrets. */
export const EndpointSecrets = v.object({
  current: v.string(),
  previous: v.optional(v.string()),
  /** Unix seconds. */
  rotated_at: v.optional(v.number()),
});
export type EndpointSecrets = v.InferOutput<typeof EndpointSecrets>;

/** Returns the name of the parameter with an endpoint's secrets. */
export const toParameterName = (prefix: string, endpointId: string) => `${prefix}${endpointId}`;

/** Returns the secrets to sign with at `now` (Unix seconds). */
export const getSigningSecrets = (
  { current, previous, rotated_at = 0 }: EndpointSecrets,
  now: number,
): string[] => [
  current,
  ...(previous !== undefined && now < rotated_at + rotationSeconds ? [previous] : []),
];

/** Entries expire after a minute, so the sender uses a new secret within a minute of rotation. */
const cache = createBoundedCache<EndpointSecrets>(1000, 60_000);

/** Returns an endpoint's secrets, read at most a minute ago; `undefined` if it has none. */
export async function readSecrets(
  prefix: string,
  endpointId: string,
): Promise<EndpointSecrets | undefined> {
  const cached = cache.get(endpointId);
  if (cached) return cached;
  const text = await getSecureParameter(toParameterName(prefix, endpointId));
  if (text === undefined) return undefined;
  const secrets = parseSecrets(text);
  cache.set(endpointId, secrets);
  return secrets;
}

export const parseSecrets = (text: string): EndpointSecrets =>
  v.parse(v.pipe(v.string(), v.parseJson(), EndpointSecrets), text);
