import { ApiError } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import type { MessagePosition } from '../../../ids.ts';
import { getItems, type Item } from '../../calls/access.ts';
import { getVisibleConversations } from '../../conversations/query/get-visible-conversations.ts';
import type { Key } from '../../keys/keys.ts';
import type { Direction, MessageItem } from '../log/message-item.ts';
import { getOrder, toPosition } from './message-order.ts';
import { probeAttributes } from './probe-result.ts';

export interface Walk {
  caller: Caller;
  direction: Direction;
  /** Position to start after; without it, the walk starts at the newest message. */
  start: MessagePosition | undefined;
  count: number;
}

export type MessageSource = ReadableSource | UnlocatedSource;

interface BoundedSource {
  /** Bound of the source: none of its messages precedes this position on the walk. */
  bound: MessagePosition;
}

export interface ReadableSource extends BoundedSource {
  /** Id of the conversation to which the caller's access has not been checked yet. */
  unchecked?: string;
  /** Reads about `count` messages. `visible` resolves to the ids of visible conversations. */
  read(count: number, visible: Promise<Pick<ReadonlySet<string>, 'has'>>): Promise<ReadResult>;
  /** Probe that shows whether a message is at the bound. It costs less than a read. */
  probe?: Probe;
}

/** A source that must be probed before it can be read. */
interface UnlocatedSource extends BoundedSource {
  probe: Probe;
}

export interface Probe {
  key: Key;
  resolve(item: Item | undefined): MessageSource[];
}

export interface ReadResult {
  messages: MessageItem[];
  sources: MessageSource[];
}

/** Maximum concurrent reads. More could time out while they wait for connections. */
const maxConcurrentReads = 16;
/** Minimum messages per read. Fewer cost nearly the same: small messages share read units. */
const minShare = 5;
/** Maximum conversations read without a result. After that, sources are probed before each read. */
const maxWastedReads = 5;
/** Maximum reads. A page with one message from each of 100 conversations takes a tenth of them. */
const maxReads = 1000;
/**
 * Maximum probes. In a function with little CPU, they take two seconds of its ten-second timeout.
 */
const maxProbes = 20_000;

/**
 * Returns the first `count` messages of the walk. Sorts sources and found messages by position, and
 * reads each source that may have one of these messages. Starts with only the first source, because
 * a busy conversation may supply the whole page. Throws `too_many_conversations`.
 */
export async function collectMessages(
  walk: Walk,
  sources: MessageSource[],
): Promise<MessageItem[]> {
  const { caller, count } = walk;
  const order = getOrder(walk.direction);
  let messages: MessageItem[] = [];
  let remaining = sources;
  let width = 1;
  let wastedReads = 0;
  let probeWidth = count;
  let reads = 0;
  let probes = 0;
  for (;;) {
    const positions = [...messages.map(toPosition), ...remaining.map(({ bound }) => bound)].sort(
      order,
    );
    const reach = positions[Math.min(width, count) - 1];
    const isDue = ({ bound }: MessageSource) => !reach || order(bound, reach) <= 0;
    const due = remaining.filter(isDue);
    if (due.length === 0) return messages;

    const needsProbe = (one: MessageSource) =>
      'probe' in one && (!('read' in one) || wastedReads > maxWastedReads);
    if (due.some(needsProbe)) {
      // Also probes sources beyond the page: if nothing was found so far, the next round is likely
      // to need them.
      const farther = positions[probeWidth - 1];
      const toProbe = remaining
        .filter(needsProbe)
        .filter(({ bound }) => !farther || order(bound, farther) <= 0);
      if (wastedReads > maxWastedReads) probeWidth *= 4;
      probes += toProbe.length;
      if (probes > maxProbes) throw new ApiError('too_many_conversations');
      remaining = [...without(remaining, toProbe), ...(await runProbes(toProbe))];
      continue;
    }

    const read = due
      .filter((one) => 'read' in one)
      .sort((a, b) => order(a.bound, b.bound))
      .slice(0, maxConcurrentReads);
    const ids = read.flatMap(({ unchecked }) => unchecked ?? []);
    reads += read.length;
    if (reads > maxReads) throw new ApiError('too_many_conversations');
    const visible = getVisibleConversations(ids, caller);
    const share = Math.min(count, Math.max(minShare, Math.ceil(count / read.length)));
    const results = await Promise.all(read.map((source) => source.read(share, visible)));
    const merged = [...messages, ...results.flatMap((one) => one.messages)].sort((a, b) =>
      order(toPosition(a), toPosition(b)),
    );
    messages = merged.slice(0, count);
    remaining = [...without(remaining, read), ...results.flatMap((one) => one.sources)];
    const includedConversations = new Set(messages.map(({ conversation_id }) => conversation_id));
    wastedReads += ids.filter((id) => !includedConversations.has(id)).length;
    if (ids.length > 0) width = count;
  }
}

const without = (sources: MessageSource[], some: MessageSource[]): MessageSource[] => {
  const removed = new Set(some);
  return sources.filter((source) => !removed.has(source));
};

/**
 * Probes sources. For a source that cannot be read yet, an eventually consistent probe suffices:
 * the times of an entry never change, and if the entry is missing, the log is read consistently.
 */
async function runProbes(sources: MessageSource[]): Promise<MessageSource[]> {
  const probes = sources.flatMap((one) =>
    'probe' in one && one.probe ? [{ ...one.probe, consistent: 'read' in one }] : [],
  );
  const resolved = await Promise.all(
    [true, false].map(async (consistent) => {
      const some = probes.filter((probe) => probe.consistent === consistent);
      const keys = some.map(({ key }) => key);
      const items = await getItems(keys, { consistent, attributes: probeAttributes });
      const byConversation = new Map(items.map((item) => [item.pk, item]));
      return some.flatMap(({ key, resolve }) => resolve(byConversation.get(key.pk)));
    }),
  );
  return resolved.flat();
}
