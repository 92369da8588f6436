import type { OnTableCall } from '../../../local-cloud/table/table-proxy.ts';

/** Simulated crashes of sends that have reserved a sequence number but not stored the message. */
export interface SendCrashes {
  onTableCall: OnTableCall;
  /** Drops every put in this conversation, as if the function had crashed before the write. */
  start(conversationId: string): void;
  stop(conversationId: string): void;
}

const puts = new Set(['PutItem', 'TransactWriteItems']);

export function createSendCrashes(): SendCrashes {
  const crashing = new Set<string>();
  return {
    onTableCall: ({ operation, permissions: grants }) => {
      if (crashing.size === 0 || !puts.has(operation)) return undefined;
      const keys = grants.flatMap(({ leadingKeys = [] }) => leadingKeys);
      const hit = keys.some((key) => crashing.has(key.replace('CONVERSATION#', '')));
      return hit ? 'lose request' : undefined;
    },
    start: (id) => crashing.add(id),
    stop: (id) => crashing.delete(id),
  };
}
