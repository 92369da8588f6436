import { describeRequest, parseObject } from './describe-request.ts';
import type { Entry, PushEntry, RequestEntry, Side } from './traffic.ts';

/** The requests and pushes of one user action. */
export interface TrafficGroup {
  /** The `number` of the group's first entry. */
  readonly number: number;
  readonly side: Side;
  /** The user's action, such as `sends a message`. */
  readonly action: string;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

interface OpenGroup extends TrafficGroup {
  readonly entries: Entry[];
  readonly ids: Set<unknown>;
  /** Id of the resource that the action created. */
  readonly created: unknown;
}

/**
 * Maximum time, in milliseconds, from a group's last entry to a push or repeated read that joins
 * the group.
 */
const maxDelayMs = 5000;

/** Groups entries by action. Takes entries newest first, and returns groups newest first. */
export function groupTraffic(entries: readonly Entry[]): TrafficGroup[] {
  const groups: OpenGroup[] = [];
  for (const entry of entries.toReversed()) {
    const group = entry.kind === 'push' ? findCause(groups, entry) : findSameAction(groups, entry);
    if (group) group.entries.push(entry);
    else groups.unshift(toGroup(entry));
  }
  return groups;
}

const toGroup = (entry: Entry): OpenGroup => ({
  number: entry.number,
  side: entry.side,
  action: entry.kind === 'push' ? 'receives an event' : describeRequest(entry),
  entries: [entry],
  ids: entry.kind === 'push' ? new Set() : getIds(entry),
  created:
    entry.kind === 'request' && entry.method === 'POST'
      ? parseObject(entry.outcome?.reply).id
      : undefined,
});

/**
 * Returns the group whose action most likely caused the push. After `maxDelayMs`, a push joins a
 * group only if it is the `created` event of the resource that the group's action created.
 */
function findCause(groups: readonly OpenGroup[], push: PushEntry): OpenGroup | undefined {
  const { type, payload } = parseObject(push.text);
  const { id, conversation_id } = parseObject(JSON.stringify(payload ?? null));
  const creator = groups.find(({ created }) => created !== undefined && created === id);
  if (creator && String(type).endsWith('.created')) return creator;
  const recent = groups.filter((group) => isRecent(group, push));
  return (
    recent.find(({ ids }) => ids.has(id) || ids.has(conversation_id)) ??
    (id === undefined ? recent[0] : undefined)
  );
}

/** Returns the user's newest group if the GET repeats the group's action within `maxDelayMs`. */
function findSameAction(
  groups: readonly OpenGroup[],
  request: RequestEntry,
): OpenGroup | undefined {
  if (request.method !== 'GET') return undefined;
  const group = groups.find(({ side }) => side === request.side);
  const isSame = group?.action === describeRequest(request) && isRecent(group, request);
  return isSame ? group : undefined;
}

const isRecent = ({ entries }: OpenGroup, { at }: Entry): boolean =>
  at.getTime() - (entries.at(-1)?.at.getTime() ?? 0) <= maxDelayMs;

function getIds({ path, body, outcome }: RequestEntry): Set<unknown> {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const fields = parseObject(body);
  const reply = parseObject(outcome?.reply);
  const ids = [
    pathname.split('/')[3],
    searchParams.get('conversation_id'),
    fields.conversation_id,
    fields.last_read_message_id,
    reply.id,
    reply.conversation_id,
  ];
  return new Set(ids.filter((id) => typeof id === 'string'));
}
