import { flag } from '../schema/field-types.ts';

export const repeatErrors = ['idempotency_key_reused', 'request_in_progress'] as const;
export const blockErrors = ['blocked', 'blocking'] as const;

export const peek = flag('Returns the same reply, but marks nothing as read or opened.');
