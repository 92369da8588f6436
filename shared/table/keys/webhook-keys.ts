import type { Key } from './keys.ts';

/** Returns the key of a webhook endpoint. All share one partition, so that a query lists them. */
export const webhookEndpointKey = (id: string): Key => ({ pk: 'WEBHOOKS', sk: `ENDPOINT#${id}` });
