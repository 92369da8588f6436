import { type ReadonlySignal, signal } from '@preact/signals';
import type { Client } from '../../../client/src/index.ts';

export interface BlockList {
  /** Contact ids; null until loaded. */
  readonly blocked: ReadonlySignal<ReadonlySet<string> | null>;
  /** Loads the list, unless it is already loaded or loading. */
  load(): void;
  block(contactId: string): Promise<void>;
  unblock(contactId: string): Promise<void>;
}

export function createBlockList(client: Client): BlockList {
  const blocked = signal<ReadonlySet<string> | null>(null);
  /** Changes that a load may miss, by contact id: true if the contact is now blocked. */
  const changes = new Map<string, boolean>();
  let isLoading = false;
  const show = (contactIds: Iterable<string>) => {
    const ids = new Set(contactIds);
    for (const [id, isBlocked] of changes) isBlocked ? ids.add(id) : ids.delete(id);
    blocked.value = ids;
  };
  const change = (contactId: string, isBlocked: boolean) => {
    changes.set(contactId, isBlocked);
    const loaded = blocked.peek();
    if (loaded) show(loaded);
  };
  const loadAll = async () => {
    const ids: string[] = [];
    for await (const { contact_id } of client.blocks.list({ limit: 100 })) ids.push(contact_id);
    show(ids);
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
      change(contact_id, true);
    },
    unblock: async (contact_id) => {
      await client.blocks.delete({ contact_id });
      change(contact_id, false);
    },
  };
}
