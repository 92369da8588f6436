import { clock } from '../clock.ts';
import { type EndpointItem, listEndpoints } from '../table/webhooks/endpoint-item.ts';

/** Milliseconds after which a change of an endpoint is seen at the latest. */
const maxAge = 10_000;

let cached: { endpoints: Promise<ReadonlyMap<string, EndpointItem>>; at: number } | undefined;

/** Returns the endpoints by id, at most ten seconds old. */
export function getEndpoints(): Promise<ReadonlyMap<string, EndpointItem>> {
  const at = clock.now();
  if (cached && at - cached.at < maxAge) return cached.endpoints;
  const endpoints = listEndpoints().then((all) => new Map(all.map((one) => [one.id, one])));
  cached = { endpoints, at };
  endpoints.catch(forgetEndpoints);
  return endpoints;
}

/** Makes the next call read the endpoints again. */
export function forgetEndpoints(): void {
  cached = undefined;
}
