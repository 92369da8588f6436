import { randomUUID } from 'node:crypto';
import { accountId, region } from '../account.ts';

export interface EventInput {
  source: string;
  detailType: string;
  resources?: readonly string[];
  detail: object;
  /** Milliseconds since 1970. */
  time: number;
}

export const createEvent = ({ source, detailType, resources = [], detail, time }: EventInput) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': detailType,
  source,
  account: accountId,
  time: `${new Date(time).toISOString().slice(0, 19)}Z`,
  region,
  resources,
  detail,
});
