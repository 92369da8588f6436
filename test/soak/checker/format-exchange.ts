import type { Exchange } from '../exchange/exchange.ts';
import type { Violation } from '../model/model.ts';

const maxOfRequest = 160;
const maxOfReply = 120;
const maxOfBody = 4000;

/** Formats an exchange as one line. */
export function formatExchange(exchange: Exchange): string {
  const { who, startOrder, ended, reply } = exchange;
  const shown = cut(JSON.stringify(abbreviate(reply.body)), maxOfReply);
  return `${startOrder}–${ended} ${clockTime(exchange)} ${who.id}: ${cut(formatRequest(exchange), maxOfRequest)} → ${reply.status} ${shown}`;
}

/** Formats a violation: the expectation, the exchange, and the conversation's latest exchanges. */
export function formatViolation({ expected, exchange, conversation }: Violation): string {
  const lines = [`VIOLATION: expected ${expected}`];
  if (exchange) {
    const { who, reply, startOrder, ended } = exchange;
    lines.push(
      `  request  ${formatRequest(exchange)}`,
      `           by ${who.id}, in the groups ${who.groups.join(', ') || '(none)'}; step ${startOrder} to ${ended}, ${clockTime(exchange)}`,
      `  reply    ${reply.status} ${cut(JSON.stringify(reply.body) ?? '(no JSON)', maxOfBody)}`,
      `           ${[...reply.headers].map(([name, value]) => `${name}: ${value}`).join(', ')}`,
    );
  }
  if (conversation) {
    const { id, created_by, contact_id, group_id, events } = conversation;
    lines.push(
      `  conversation ${id}, created by ${created_by}, contact ${contact_id}, group ${group_id}; latest exchanges:`,
      ...events.map((event) => `    ${event}`),
    );
  }
  return lines.join('\n');
}

/** Formats the request line, headers and body on one line. */
function formatRequest({ row, sent }: Exchange): string {
  const path = Object.entries(sent.path ?? {}).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, value),
    row.path,
  );
  const query = new URLSearchParams(sent.query).toString();
  const headers = Object.entries(sent.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [
    `${row.method} ${path}${query && `?${query}`}`,
    ...headers,
    ...(sent.body ? [JSON.stringify(sent.body)] : []),
  ].join(' ');
}

/**
 * Shortens a body: a list becomes its length, its first and last ids, and `has_more`; an error
 * becomes its code; a resource becomes its id.
 */
function abbreviate(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if ('data' in body && Array.isArray(body.data)) {
    const ids = body.data.map((one: { id?: string }) => one.id);
    const more = 'has_more' in body && body.has_more === true;
    return { ids: ids.length > 2 ? [ids[0], `… ${ids.length} …`, ids.at(-1)] : ids, more };
  }
  if ('code' in body) return body.code;
  return 'id' in body ? body.id : body;
}

const clockTime = ({ startedAt: begunAt, endedAt }: Exchange) =>
  `${new Date(begunAt).toISOString().slice(11, 23)}+${endedAt - begunAt}ms`;

const cut = (text: string | undefined, most: number): string =>
  text === undefined || text.length <= most ? (text ?? '') : `${text.slice(0, most)}…`;
