import type { Operation } from '../../../shared/contract/operation.ts';
import { toFormFields } from '../../support/handlers/to-form-fields.ts';
import type { RequestTemplate } from '../requests/request-template.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Person } from '../run/person.ts';
import { encodeLoosely } from '../values/encode.ts';
import { writeVerbatim } from '../values/hostile-values.ts';
import { fillAllPlaceholders, fillPlaceholders, type Named } from './fill-placeholders.ts';
import { findOperation } from './match-operation.ts';

/** A request as sent, with its expected handling. */
export interface Sent {
  template: RequestTemplate;
  /** May differ from the template's operation. */
  row: Operation | undefined;
  /** Undefined if authentication must fail. */
  caller: Person | undefined;
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer;
  bytes: Buffer;
  /** The parsed body, if it was generated as JSON fields. */
  fields: unknown;
  /** The fields of the body, if it was generated as a form. */
  form: unknown;
  named: Named;
}

export function compileRequest(template: RequestTemplate, fixture: Fixture): Sent {
  const { credential, method } = template;
  const caller = credential.kind === 'person' ? fixture.people[credential.n] : undefined;
  const named: Named = {};
  const filled = (text: string) => fillPlaceholders(text, fixture, caller, named);
  const target = targetOf(template, filled);
  const written = bodyOf(template, filled);
  const body = written.bytes;
  const type: [string, string][] =
    written.type === undefined ? [] : [['Content-Type', written.type]];
  const framing: [string, string][] =
    body.length === 0
      ? []
      : template.chunked
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', String(body.length)]];
  const headers: [string, string][] = [
    ['Host', new URL(fixture.url).host],
    ...authorizations(template, fixture, filled),
    ...type,
    ...template.headers.map(([name, value]): [string, string] => [name, filled(value)]),
    ...framing,
  ];
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const bytes = Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
    ...(body.length > 0 && template.chunked ? chunks(body) : [body]),
  ]);
  const row = findOperation(method, target);
  return { template, row, caller, method, target, headers, body, bytes, named, ...written.known };
}

function targetOf(
  { path, row, segment, query }: RequestTemplate,
  filled: (text: string) => string,
): string {
  // Fills only the parts that are sent, because the first filled id counts as the request's
  // resource.
  const filledPath =
    path === undefined
      ? row.path.replace(/\{.*\}/, () => segmentText(segment, filled))
      : filled(path);
  const text = typeof query === 'string' ? filled(query) : queryText(query, filled);
  return text === '' ? filledPath : `${filledPath}?${text}`;
}

function segmentText(segment: RequestTemplate['segment'], filled: (text: string) => string) {
  if (!segment) return '';
  const { raw, value, more } = segment;
  const first = raw ? filled(value) : encodeLoosely(filled(value));
  return more ? `${first}${more.between}${encodeLoosely(filled(more.value))}` : first;
}

/** Encodes a list as a repeated parameter, and an object as JSON. */
const queryText = (query: Record<string, unknown>, filled: (text: string) => string) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value])
        .filter((one) => one !== undefined)
        .map((one): [string, string] => [
          filled(name),
          filled(typeof one === 'string' ? one : JSON.stringify(one)),
        ]),
    ),
  ).toString();

function authorizations(
  { credential }: RequestTemplate,
  fixture: Fixture,
  filled: (text: string) => string,
) {
  const values =
    credential.kind === 'person'
      ? [fixture.people[credential.n]?.authorization ?? '']
      : credential.kind === 'header'
        ? credential.values.map(filled)
        : [fixture.oddTokens[credential.n % fixture.oddTokens.length] ?? ''];
  return values.map((value): [string, string] => ['Authorization', value]);
}

interface Written {
  bytes: Buffer;
  type: string | undefined;
  known: { fields: unknown; form: unknown };
}

function bodyOf({ body }: RequestTemplate, filled: (text: string) => string): Written {
  const unknown = { fields: undefined, form: undefined };
  if (body.kind === 'none') return { bytes: Buffer.alloc(0), type: undefined, known: unknown };
  if (body.kind === 'bytes') {
    const bytes = Buffer.from(filled(body.bytes), 'latin1');
    return { bytes, type: body.contentType, known: unknown };
  }
  const fields = fillAllPlaceholders(body.fields, filled);
  if (body.kind === 'form') {
    const bytes = Buffer.from(new URLSearchParams(toFormFields(fields)).toString());
    return {
      bytes,
      type: 'application/x-www-form-urlencoded',
      known: { ...unknown, form: fields },
    };
  }
  const json = JSON.stringify(fields) ?? 'null';
  const bytes = Buffer.from(writeVerbatim(json));
  return { bytes, type: 'application/json', known: { ...unknown, fields: parseJson(bytes) } };
}

function parseJson(json: Buffer): unknown {
  try {
    // Treats 0 and -0 as equal.
    return JSON.parse(json.toString(), (_, value) => (value === 0 ? 0 : value));
  } catch {
    return undefined;
  }
}

const chunks = (body: Buffer) => {
  const half = Math.ceil(body.length / 2);
  return [
    ...[body.subarray(0, half), body.subarray(half)]
      .filter((part) => part.length > 0)
      .flatMap((part) => [
        Buffer.from(`${part.length.toString(16)}\r\n`),
        part,
        Buffer.from('\r\n'),
      ]),
    Buffer.from('0\r\n\r\n'),
  ];
};
