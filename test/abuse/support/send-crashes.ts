import type { OnTableCall } from '../../../local-cloud/table/proxy.ts';

/** Sends that die between their ticket and their message. */
export interface SendCrashes {
  onTableCall: OnTableCall;
  /** From now on every function that puts a message into the conversation's log is gone before it gets there. */
  start(conversationId: string): void;
  stop(conversationId: string): void;
}

const puts = new Set(['PutItem', 'TransactWriteItems']);

export function createSendCrashes(): SendCrashes {
  const crashing = new Set<string>();
  return {
    onTableCall: ({ operation, grants }) => {
      if (crashing.size === 0 || !puts.has(operation)) return undefined;
      const keys = grants.flatMap(({ leadingKeys = [] }) => leadingKeys);
      const hit = keys.some((key) => crashing.has(key.replace('CONVERSATION#', '')));
      return hit ? 'lose request' : undefined;
    },
    start: (id) => crashing.add(id),
    stop: (id) => crashing.delete(id),
  };
}
