import { jest } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { examples, listing } from '../../../shared/contract/examples.ts';
import {
  listBlocks,
  listConversations,
  listGroupMembers,
  listGroups,
  listMessages,
} from '../../../shared/contract/operations.ts';
import { random } from '../../../shared/ids.ts';
import { ok } from '../handlers/invoke-handler.ts';
import { seedBusinesses } from '../seeds/seed-businesses.ts';
import { type Cast, firstCast } from './cast.ts';
import { exampleCalls, toRequest } from './example-calls.ts';
import { restoreSnapshot, type TableSnapshot, takeSnapshot } from './table-snapshot.ts';

/** A world that restores the state after any example call, with a mocked clock and mocked ids. */
export interface ScenarioWorld {
  /** Snapshots before the first call and after each call. */
  snapshots: readonly TableSnapshot[];
  /** Indexes of the first snapshot of each distinct state. */
  changes: readonly number[];
  /** Sets the clock to a time in milliseconds since 1970. Calls do not advance the clock. */
  at: (time: number) => void;
  mockTimeAndIds(): void;
  beginAt: (snapshot: TableSnapshot, cast: Cast) => Promise<void>;
  getView: (cast: Cast) => Promise<View>;
}

/** The state that Ann and Bob can see, as text with the examples' ids. */
export type View = string;

const hour = 3_600_000;
const conversationId = examples['conversations/create'].reply.id;

/** Runs all examples and returns a world with the recorded states. */
export async function runScenario(): Promise<ScenarioWorld> {
  let now = 0;
  let draws = 0;
  const mockTimeAndIds = () => {
    jest.spyOn(clock, 'now').mockImplementation(() => now);
    jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
    jest.spyOn(random, 'bytes').mockImplementation((count) => {
      draws += 1;
      return Uint8Array.from(
        conversationId.slice(-count),
        (digit) => digitValue(digit) + draws - 1,
      );
    });
  };
  mockTimeAndIds();

  await seedBusinesses(listing);
  const snapshots: TableSnapshot[] = [await takeSnapshot(firstCast)];
  for (const exampleCall of exampleCalls) {
    now = exampleCall.example.at * 1000;
    await ok(exampleCall.row, { as: firstCast[exampleCall.example.as], ...toRequest(exampleCall) });
    snapshots.push(await takeSnapshot(firstCast));
  }

  const cachedViews = new Map<string, Promise<View>>();
  const texts = snapshots.map((snapshot) => snapshot.join());
  return {
    mockTimeAndIds,
    snapshots,
    changes: [...texts.keys()].filter((n) => texts.indexOf(texts[n] ?? '') === n),
    at: (time) => {
      now = time;
    },
    beginAt: async (snapshot, cast) => {
      draws = 0;
      await restoreSnapshot(snapshot, cast);
    },
    /**
     * Caches views. The cache key is the text of the stored items without UUIDs, because views
     * contain no UUIDs.
     */
    getView: async (cast) => {
      const found = (await takeSnapshot(cast))
        .join('\n')
        .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '');
      const cached = cachedViews.get(found);
      if (cached) return cached;
      const callTime = now;
      now = callTime + hour;
      const view = readView(cast);
      cachedViews.set(found, view);
      await view;
      now = callTime;
      return view;
    },
  };
}

const digitValue = (digit: string) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit);

/**
 * Reads the state that Ann and Bob can see, through list requests without side effects. The clock
 * must be an hour ahead so that caches and reservations have expired.
 */
async function readView(cast: Cast): Promise<View> {
  const views = await Promise.all(
    [cast.ann, cast.bob].map(async (as) => {
      const conversations = await Promise.all(
        [{}, { pinned: 'true' }, { muted: 'true' }, { archived: 'true' }].map((query) =>
          ok(listConversations, { as, query: { ...query, 'expand[]': 'unread_count' } }),
        ),
      );
      const messages = await ok(listMessages, { as, query: {} });
      const shown = messages.data.map(({ id }) => id);
      const [all] = conversations;
      const pins = all?.data.flatMap(({ pinned_message_id }) => pinned_message_id ?? []) ?? [];
      const dangling = pins.filter((pin) => !shown.includes(pin));
      const blocks = await ok(listBlocks, { as });
      const groups = await ok(listGroups, { as, query: {} });
      const members = await Promise.all(
        groups.data.map(({ id }) => ok(listGroupMembers, { as, path: { group_id: id } })),
      );
      return { sees: as.id, conversations, messages, blocks, dangling, groups, members };
    }),
  );
  return cast.toExampleText(JSON.stringify(views));
}
