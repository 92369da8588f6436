import type { OnTableCall } from '../../../local-cloud/table/proxy.ts';

/** Sends that die between their ticket and their message. */
export interface Crashes {
  onTableCall: OnTableCall;
  /** From now on every function that puts a message into the conversation's log is gone before it gets there. */
  strike(conversationId: string): void;
  relent(conversationId: string): void;
}

const puts = new Set(['PutItem', 'TransactWriteItems']);

export function newCrashes(): Crashes {
  const struck = new Set<string>();
  return {
    onTableCall: ({ operation, grants }) => {
      if (struck.size === 0 || !puts.has(operation)) return undefined;
      const keys = grants.flatMap(({ leadingKeys = [] }) => leadingKeys);
      const hit = keys.some((key) => struck.has(key.replace('CONVERSATION#', '')));
      return hit ? 'lose request' : undefined;
    },
    strike: (id) => struck.add(id),
    relent: (id) => struck.delete(id),
  };
}
