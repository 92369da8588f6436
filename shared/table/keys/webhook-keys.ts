import type { Key } from './keys.ts';

/** Returns a webhook endpoint's key. All endpoints share a partition, so one query lists them. */
export const webhookEndpointKey = (id: string): Key => ({ pk: 'WEBHOOKS', sk: `ENDPOINT#${id}` });
