import { clock } from '../clock.ts';
import { type EndpointItem, listEndpoints } from '../table/webhooks/endpoint-item.ts';

/** Maximum milliseconds until a change to an endpoint takes effect. */
const maxAge = 10_000;

type Endpoints = ReadonlyMap<string, EndpointItem>;

let cached: { endpoints: Promise<Endpoints>; at: number } | undefined;

/** Returns the endpoints by id, read at most ten seconds ago. */
export function getEndpoints(): Promise<Endpoints> {
  const at = clock.now();
  if (cached && at - cached.at < maxAge) return cached.endpoints;
  const endpoints = listEndpoints().then((all) => new Map(all.map((one) => [one.id, one])));
  cached = { endpoints, at };
  endpoints.catch(forgetEndpoints);
  return endpoints;
}

/**
 * Returns an endpoint that was read at most ten seconds ago. If the endpoint is missing or
 * disabled, rereads the endpoints, because it may just have been added or enabled.
 */
export async function findEndpoint(id: string): Promise<EndpointItem | undefined> {
  const found = (await getEndpoints()).get(id);
  if (found && found.state !== 'disabled') return found;
  forgetEndpoints();
  return (await getEndpoints()).get(id);
}

export function forgetEndpoints(): void {
  cached = undefined;
}
