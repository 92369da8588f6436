import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import { type Answer, ask, bearer } from './ask.ts';
import { Differs } from './check.ts';
import type { Person } from './people.ts';

export interface Sent {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Calls an operation as a user, and returns any response. */
export function send(url: string, who: Person, row: Operation, sent: Sent = {}): Promise<Answer> {
  const { path = {}, query = {}, body, headers = {} } = sent;
  const address = Object.entries(path).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, encodeURIComponent(value)),
    row.path,
  );
  return ask(`${url}${address}?${new URLSearchParams(query)}`, {
    method: row.method,
    headers: {
      ...bearer(who.token),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Returns the status and, for an error, its code. */
export function inShort({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), v.object({ code: v.string() })), body);
  if (read.success) return `${status} ${read.output.code}`;
  return status < 300 ? `${status}` : `${status} ${body.replace(/\s+/g, ' ').slice(0, 120)}`.trim();
}

/** Returns the parsed reply of a successful operation. */
export async function call<Row extends Operation>(
  url: string,
  who: Person,
  row: Row,
  sent: Sent = {},
): Promise<{ reply: v.InferOutput<Row['reply']>; answer: Answer }> {
  const answer = await send(url, who, row, sent);
  if (answer.status !== row.status) throw new Differs(`${row.id}: ${inShort(answer)}`);
  const read = v.safeParse(row.reply, JSON.parse(answer.body));
  if (!read.success) throw new Differs(`${row.id}: the reply does not match the contract`);
  return { reply: read.output, answer };
}
