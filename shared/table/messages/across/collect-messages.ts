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
  /** Position to start after. Without a position, the walk starts at the newest message. */
  start: MessagePosition | undefined;
  count: number;
}

export type MessageSource = ReadableSource | UnlocatedSource;

interface BoundedSource {
  /** All of the source's messages are at or after this position on the walk. */
  bound: MessagePosition;
}

export interface ReadableSource extends BoundedSource {
  /** Id of the conversation; undefined if the caller's access has already been checked. */
  unchecked?: string;
  /** Reads about `count` messages. `visible` resolves to the ids of visible conversations. */
  read(count: number, visible: Promise<Pick<ReadonlySet<string>, 'has'>>): Promise<ReadResult>;
  /** Checks whether a message is at the bound. A probe costs less than a read. */
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

/**
 * Maximum number of concurrent reads. More reads could time out while they wait for connections.
 */
const maxConcurrentReads = 16;
/**
 * Minimum number of messages per read. Reading fewer messages would cost nearly the same, because
 * small messages share read units.
 */
const minMessagesPerSource = 5;
/**
 * Maximum number of conversations read without adding a message to the result. Above this number,
 * sources are probed before each read.
 */
const maxWastedReads = 5;
/**
 * Maximum number of reads. A page with one message from each of 100 conversations takes 100 reads.
 */
const maxReads = 1000;
/**
 * Maximum number of probes. On a slow CPU, this many probes take about two of the function's ten
 * seconds.
 */
const maxProbes = 20_000;

/**
 * Returns the first `count` messages of the walk. Reads only sources that may contain one of these
 * messages. Starts with the first source alone, because a busy conversation may supply the whole
 * page. Throws `too_many_conversations`.
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
    const horizon = positions[Math.min(width, count) - 1];
    const isDue = ({ bound }: MessageSource) => !horizon || order(bound, horizon) <= 0;
    const due = remaining.filter(isDue);
    if (due.length === 0) return messages;

    const needsProbe = (one: MessageSource) =>
      'probe' in one && (!('read' in one) || wastedReads > maxWastedReads);
    if (due.some(needsProbe)) {
      // Also probes sources beyond the page. If no message has been found so far, the next
      // round probably needs these sources.
      const probeHorizon = positions[probeWidth - 1];
      const toProbe = remaining
        .filter(needsProbe)
        .filter(({ bound }) => !probeHorizon || order(bound, probeHorizon) <= 0);
      if (wastedReads > maxWastedReads) probeWidth *= 4;
      probes += toProbe.length;
      if (probes > maxProbes) throw new ApiError('too_many_conversations');
      remaining = [...removeSources(remaining, toProbe), ...(await runProbes(toProbe))];
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
    const messagesPerSource = Math.min(
      count,
      Math.max(minMessagesPerSource, Math.ceil(count / read.length)),
    );
    const results = await Promise.all(
      read.map((source) => source.read(messagesPerSource, visible)),
    );
    const merged = [...messages, ...results.flatMap((one) => one.messages)].sort((a, b) =>
      order(toPosition(a), toPosition(b)),
    );
    messages = merged.slice(0, count);
    remaining = [...removeSources(remaining, read), ...results.flatMap((one) => one.sources)];
    const includedConversations = new Set(messages.map(({ conversation_id }) => conversation_id));
    wastedReads += ids.filter((id) => !includedConversations.has(id)).length;
    if (ids.length > 0) width = count;
  }
}

const removeSources = (sources: MessageSource[], excluded: MessageSource[]): MessageSource[] => {
  const removed = new Set(excluded);
  return sources.filter((source) => !removed.has(source));
};

/**
 * Probes the sources. If a source cannot be read yet, an eventually consistent probe suffices,
 * because an entry's times never change. If the entry is missing, the log is read consistently.
 */
async function runProbes(sources: MessageSource[]): Promise<MessageSource[]> {
  const probes = sources.flatMap((one) =>
    'probe' in one && one.probe ? [{ ...one.probe, consistent: 'read' in one }] : [],
  );
  const resolved = await Promise.all(
    [true, false].map(async (consistent) => {
      const matching = probes.filter((probe) => probe.consistent === consistent);
      const keys = matching.map(({ key }) => key);
      const items = await getItems(keys, { consistent, attributes: probeAttributes });
      const byConversation = new Map(items.map((item) => [item.pk, item]));
      return matching.flatMap(({ key, resolve }) => resolve(byConversation.get(key.pk)));
    }),
  );
  return resolved.flat();
}
