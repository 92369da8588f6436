import { signal } from '@preact/signals';
import type { Event } from '../../../client/src/index.ts';

/** A user's network outage, and the events that the feed returned afterwards. */
export interface Outage {
  readonly state: 'cut' | 'catching up' | 'done';
  readonly cutAt: number;
  readonly restoredAt: number | null;
  /** Events from the feed since the network was restored, oldest first. */
  readonly events: readonly Event[];
}

/** Returns a tracker of a user's outage and of the events that the feed returns after it. */
export function createOutageTracker() {
  const outage = signal<Outage | null>(null);
  return {
    repair: outage,
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
      const known = new Set(last.events.map(({ id }) => id));
      const events = [...last.events, ...reply.data.filter(({ id }) => !known.has(id))];
      outage.value = { ...last, events, state: reply.has_more ? 'catching up' : 'done' };
    },
  };
}

/** Reports whether a reply is a page of events. Does not check the events. */
const isPage = (reply: unknown): reply is { data: Event[]; has_more: boolean } =>
  typeof reply === 'object' && reply !== null && 'data' in reply && 'has_more' in reply;
