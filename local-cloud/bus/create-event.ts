import { randomUUID } from 'node:crypto';
import { accountId, region } from '../account.ts';

export interface EventFacts {
  source: string;
  detailType: string;
  resources?: readonly string[];
  detail: object;
  /** In milliseconds since 1970. */
  time: number;
}

/** Returns an event as EventBridge delivers it. */
export const createEvent = ({ source, detailType, resources = [], detail, time }: EventFacts) => ({
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
