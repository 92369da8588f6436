import { type ReadonlySignal, signal } from '@preact/signals';
import type { Store } from '../../../client/src/index.ts';

/** What a store shows, as a signal; and how to end that. */
export function createStoreSignal<Snapshot>(
  store: Store<Snapshot>,
): [ReadonlySignal<Snapshot>, () => void] {
  const value = signal(store.getSnapshot());
  const end = store.subscribe(() => {
    value.value = store.getSnapshot();
  });
  return [value, end];
}
