import { signal } from '@preact/signals';

export type Side = 'left' | 'right';

export interface RequestEntry {
  readonly kind: 'request';
  readonly number: number;
  readonly side: Side;
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly curl: string;
  readonly at: Date;
  /** Undefined until the request ends. */
  readonly outcome: Outcome | undefined;
}

export interface Outcome {
  /** `none` if there was no reply. */
  readonly status: number | 'none';
  readonly milliseconds: number;
  readonly reply: string | undefined;
  readonly requestId: string | undefined;
}

export interface PushEntry {
  readonly kind: 'push';
  readonly number: number;
  readonly side: Side;
  readonly type: string;
  readonly at: Date;
  readonly text: string;
}

export type Entry = RequestEntry | PushEntry;

const maxEntries = 200;
let count = 0;

/** The last `maxEntries` entries of both users, newest first. */
export const traffic = signal<readonly Entry[]>([]);

/** Adds a request. Returns its number, for `setRequestOutcome`. */
export const addRequest = (request: Omit<RequestEntry, 'kind' | 'number' | 'outcome'>): number =>
  add({ ...request, kind: 'request', number: nextNumber(), outcome: undefined });

export const addPush = (push: Omit<PushEntry, 'kind' | 'number'>): number =>
  add({ ...push, kind: 'push', number: nextNumber() });

export function setRequestOutcome(number: number, outcome: Outcome): void {
  traffic.value = traffic.value.map((entry) =>
    entry.number === number && entry.kind === 'request' ? { ...entry, outcome } : entry,
  );
}

export function clearTraffic(): void {
  traffic.value = [];
}

function add(entry: Entry): number {
  traffic.value = [entry, ...traffic.value].slice(0, maxEntries);
  return entry.number;
}

function nextNumber(): number {
  count += 1;
  return count;
}
