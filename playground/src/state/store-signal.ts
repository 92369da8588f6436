import { type ReadonlySignal, signal } from '@preact/signals';
import type { Store } from '../../../client/src/index.ts';

/** Returns a store's snapshots as a signal, and a function that unsubscribes. */
export function createStoreSignal<Snapshot>(
  store: Store<Snapshot>,
): [ReadonlySignal<Snapshot>, () => void] {
  const value = signal(store.getSnapshot());
  const end = store.subscribe(() => {
    value.value = store.getSnapshot();
  });
  return [value, end];
}
