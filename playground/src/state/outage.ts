import { signal } from '@preact/signals';
import type { Event } from '../../../client/src/index.ts';

export interface Outage {
  readonly state: 'cut' | 'catching up' | 'done';
  readonly cutAt: number;
  readonly restoredAt: number | null;
  /** Events that the feed has returned since the network was restored, oldest first. */
  readonly events: readonly Event[];
}

export function createOutageTracker() {
  const outage = signal<Outage | null>(null);
  return {
    current: outage,
    cut: () => {
      outage.value = { state: 'cut', cutAt: Date.now(), restoredAt: null, events: [] };
    },
    restore: () => {
      const last = outage.peek();
      if (last) outage.value = { ...last, state: 'catching up', restoredAt: Date.now() };
    },
    dismiss: () => {
      outage.value = null;
    },
    applyReply: (path: string, reply: unknown) => {
      const last = outage.peek();
      if (last?.state !== 'catching up' || !path.startsWith('/v1/events') || !isPage(reply)) return;
      const knownIds = new Set(last.events.map(({ id }) => id));
      const events = [...last.events, ...reply.data.filter(({ id }) => !knownIds.has(id))];
      outage.value = { ...last, events, state: reply.has_more ? 'catching up' : 'done' };
    },
  };
}

/** Reports whether a reply is a page of events. Does not check the events. */
const isPage = (reply: unknown): reply is { data: Event[]; has_more: boolean } =>
  typeof reply === 'object' && reply !== null && 'data' in reply && 'has_more' in reply;
