import type { HttpReply } from '../../../shared/signing/transport.ts';

/** Returns an HTTP reply of DynamoDB. */
export const createTableReply = (status: number, body: object | string): HttpReply => ({
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
