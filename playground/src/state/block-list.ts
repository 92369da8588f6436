import { type ReadonlySignal, signal } from '@preact/signals';
import type { Client } from '../../../client/src/index.ts';

/** The contacts that a user has blocked. */
export interface BlockList {
  /** Contact ids; null until loaded. */
  readonly blocked: ReadonlySignal<ReadonlySet<string> | null>;
  /** Loads the list, unless it is loaded or being loaded. */
  load(): void;
  block(contactId: string): Promise<void>;
  unblock(contactId: string): Promise<void>;
}

export function createBlockList(client: Client): BlockList {
  const blocked = signal<ReadonlySet<string> | null>(null);
  let isLoading = false;
  const loadAll = async () => {
    const ids = new Set<string>();
    for await (const { contact_id } of client.blocks.list({ limit: 100 })) ids.add(contact_id);
    blocked.value = ids;
  };
  return {
    blocked,
    load: () => {
      if (isLoading) return;
      isLoading = true;
      loadAll().catch(() => {
        isLoading = false;
      });
    },
    block: async (contact_id) => {
      await client.blocks.create({ contact_id });
      blocked.value = new Set(blocked.peek()).add(contact_id);
    },
    unblock: async (contact_id) => {
      await client.blocks.delete({ contact_id });
      blocked.value = new Set([...(blocked.peek() ?? [])].filter((id) => id !== contact_id));
    },
  };
}
