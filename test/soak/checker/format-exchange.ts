import type { Exchange } from '../exchange/exchange.ts';
import type { Violation } from '../model/model.ts';

const maxOfRequest = 160;
const maxOfReply = 120;
const maxOfBody = 4000;

export function formatExchange(exchange: Exchange): string {
  const { caller, startOrder, ended, reply } = exchange;
  const shown = cut(JSON.stringify(abbreviate(reply.body)), maxOfReply);
  return `${startOrder}–${ended} ${clockTime(exchange)} ${caller.id}: ${cut(formatRequest(exchange), maxOfRequest)} → ${reply.status} ${shown}`;
}

export function formatViolation({ expected, exchange, conversation }: Violation): string {
  const lines = [`VIOLATION: expected ${expected}`];
  if (exchange) {
    const { caller, reply, startOrder, ended } = exchange;
    lines.push(
      `  request  ${formatRequest(exchange)}`,
      `           by ${caller.id}, in the groups ${caller.groups.join(', ') || '(none)'}; step ${startOrder} to ${ended}, ${clockTime(exchange)}`,
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

/** Reduces a list to its ids, an error to its code, and a resource to its id. */
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

const clockTime = ({ startedAt, endedAt }: Exchange) =>
  `${new Date(startedAt).toISOString().slice(11, 23)}+${endedAt - startedAt}ms`;

const cut = (text: string | undefined, maxLength: number): string =>
  text === undefined || text.length <= maxLength ? (text ?? '') : `${text.slice(0, maxLength)}…`;
