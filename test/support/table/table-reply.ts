import type { HttpReply } from '../../../shared/signing/transport.ts';

export const createTableReply = (status: number, body: object | string): HttpReply => ({
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
