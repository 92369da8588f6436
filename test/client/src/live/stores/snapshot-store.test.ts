import { expect, test } from '@jest/globals';
import { createSnapshotStore } from '../../../../../client/src/live/stores/snapshot-store.ts';

function store() {
  const items = ['a', 'b'];
  const all: { name: string; items: readonly string[] } = { name: 'one', items };
  const shown = createSnapshotStore(() => ({ ...all, items: [...all.items] }));
  const notifications: string[] = [];
  const changed = async () => {
    shown.invalidate();
    shown.invalidate();
    await null;
    return notifications.splice(0);
  };
  const listener = () => notifications.push('notified');
  return { all, shown, changed, listener, notifications };
}

test('A change notifies a listener once per subscription', async () => {
  const { all, shown, changed, listener, notifications } = store();
  const first = shown.subscribe(listener);
  const second = shown.subscribe(listener);
  shown.invalidate();
  expect(notifications).toEqual([]);
  expect(await changed()).toEqual(['notified', 'notified']);
  first();
  all.name = 'two';
  expect(await changed()).toEqual(['notified']);
  second();
  all.name = 'three';
  expect(await changed()).toEqual([]);
  shown.subscribe(listener);
  shown.removeAllListeners();
  all.name = 'four';
  expect(await changed()).toEqual([]);
  expect(shown.getSnapshot()).toEqual({ name: 'four', items: ['a', 'b'] });
});

test('An invalidation without a change notifies no listener and keeps the snapshot', async () => {
  const { all, shown, changed, listener } = store();
  shown.subscribe(listener);
  await changed();
  const before = shown.getSnapshot();
  all.items = [...all.items];
  expect(await changed()).toEqual([]);
  expect(shown.getSnapshot()).toBe(before);
  for (const items of [['b', 'a'], ['b'], ['b', 'c'], ['b', 'c', 'd'], []]) {
    all.items = items;
    expect(await changed()).toEqual(['notified']);
    expect(shown.getSnapshot().items).toEqual(items);
  }
  all.name = 'two';
  // A read of the snapshot does not suppress the notification that follows.
  shown.invalidate();
  expect(shown.getSnapshot().name).toBe('two');
  expect(await changed()).toEqual(['notified']);
  expect(before).toEqual({ name: 'one', items: ['a', 'b'] });
});
