import { describe, expect, test } from '@jest/globals';
import { type ErrorCode, errorCatalog } from '../../shared/contract/errors.ts';
import { type Example, examples } from '../../shared/contract/examples.ts';
import { fixedHeaders } from '../../shared/contract/headers.ts';
import { type Operation, sharedErrors } from '../../shared/contract/operation.ts';
import { listConversations, operations } from '../../shared/contract/operations.ts';
import { findBreaches } from './check-reply.ts';
import { findUnknownHeaders } from './header-rules.ts';
import type { ObservedReply } from './observed-reply.ts';
import { errorReply, goodReply } from './sample-replies.ts';
import { getFieldNames } from './schema-fields.ts';

const rows: readonly Operation[] = operations;
const exampleOf = new Map(Object.entries<Example>(examples));

const good = (row: Operation): ObservedReply =>
  goodReply(row, Object(exampleOf.get(row.id)?.reply));
const refused = (row: Operation, code: ErrorCode = 'internal_error'): ObservedReply =>
  errorReply(code, firstField(row));
const firstField = ({ pathParameters, query, body }: Operation): string | null =>
  [pathParameters, query, body].flatMap(getFieldNames)[0] ?? null;

const breaches = (row: Operation, reply: ObservedReply, query = {}): number =>
  findBreaches({ row, query }, reply).length + findUnknownHeaders(reply).length;

const without = (reply: ObservedReply, name: string): ObservedReply => ({
  ...reply,
  headers: new Map([...reply.headers].filter(([one]) => one !== name.toLowerCase())),
});
const withHeader = (reply: ObservedReply, name: string, value: string): ObservedReply => ({
  ...reply,
  headers: new Map([...reply.headers, [name.toLowerCase(), value]]),
});
const withField = (reply: ObservedReply, field: object): ObservedReply => ({
  ...reply,
  body: { ...Object(reply.body), ...field },
});

describe.each(rows.map((row) => [row.id, row] as const))('A reply of %s', (_, row) => {
  test('passes if it equals the example or is a documented error of the operation', () => {
    expect(findBreaches({ row }, good(row))).toEqual([]);
    for (const code of [...row.errors, ...sharedErrors]) {
      expect(findBreaches({ row }, refused(row, code))).toEqual([]);
    }
  });

  test.each(['good', 'refused'] as const)(
    'fails if a header is wrong, missing or unknown (kind of reply: %s)',
    (kind) => {
      const reply = { good, refused }[kind](row);
      const always = [...Object.keys(fixedHeaders), 'Content-Type', 'Request-Id'];
      for (const name of [...always, 'Access-Control-Allow-Origin']) {
        expect([name, breaches(row, without(reply, name)) > 0]).toEqual([name, true]);
      }
      expect(breaches(row, withHeader(reply, 'Content-Type', 'text/html'))).toBe(1);
      expect(breaches(row, withHeader(reply, 'X-Powered-By', 'x'))).toBe(1);
      expect(breaches(row, withHeader(reply, 'Retry-After', '9'))).toBe(1);
      expect(breaches(row, withHeader(reply, 'WWW-Authenticate', 'Bearer'))).toBe(1);
      const forged = withHeader(withHeader(reply, 'ETag', '"1"'), 'Location', '/elsewhere');
      expect(breaches(row, forged)).toBeGreaterThan(0);
    },
  );

  test('fails with a wrong status or body, a missing or unknown field, or a 304 for an operation other than a versioned GET', () => {
    const reply = good(row);
    const [name = ''] = Object.keys(Object(reply.body));
    expect(breaches(row, withField(reply, { secret: 1 }))).toBe(1);
    expect(breaches(row, withField(reply, { [name]: undefined }))).toBeGreaterThan(0);
    expect(breaches(row, { ...reply, body: 'text' })).toBeGreaterThan(0);
    expect(breaches(row, { ...reply, status: 204 })).toBe(1);
    const unchanged = { ...reply, status: 304, body: '' };
    expect(breaches(row, unchanged) === 0).toBe(row.versioned === true && row.method === 'GET');
  });

  test('fails if a link is missing or wrong, or if there are fewer or more items than requested', () => {
    if (!row.list) {
      const link = withHeader(good(row), 'Link', '<https://here/v1/x>; rel="next"');
      expect(breaches(row, link)).toBe(1);
      return;
    }
    const { data } = Object(good(row).body);
    const page = (has_more: boolean) => goodReply(row, { has_more, data });
    const next = '<https://here/v1/x?limit=1&starting_after=y>; rel="next"';
    const prev = '<https://here/v1/x?limit=1&ending_before=y>; rel="prev"';
    const limit = String(data.length);
    if (row.forwardOnly) {
      for (const more of [true, false]) {
        expect(breaches(row, page(more))).toBe(0);
        expect(breaches(row, without(page(more), 'Link'))).toBe(1);
        expect(breaches(row, withHeader(page(more), 'Link', `${next}, ${prev}`))).toBe(1);
      }
      expect(breaches(row, page(false), { limit: '0' })).toBe(1);
      return;
    }
    expect(breaches(row, withHeader(page(true), 'Link', next), { limit })).toBe(0);
    expect(breaches(row, page(true), { limit })).toBe(1);
    expect(breaches(row, withHeader(page(false), 'Link', next), { limit })).toBe(1);
    expect(breaches(row, withHeader(page(false), 'Link', prev), { limit })).toBe(1);
    expect(breaches(row, withHeader(page(true), 'Link', next))).toBe(1);
    expect(breaches(row, page(false), { limit: '0' })).toBe(1);
  });

  test('fails if it is an error with a wrong status, code or param, or with a wrong, missing or unknown field', () => {
    const error = refused(row);
    for (const field of [
      { type: 'invalid_request' },
      { code: 'unheard_of' },
      { request_id: 'another' },
      { documentation_url: 'https://elsewhere.example' },
      { message: undefined },
      { secret: 1 },
    ]) {
      expect([field, breaches(row, withField(error, field))]).toEqual([field, 1]);
    }
    expect(breaches(row, { ...error, status: 503 })).toBe(1);
    const foreign = Object.keys(errorCatalog)
      .filter(isErrorCode)
      .filter((code) => ![...row.errors, ...sharedErrors].some((one) => one === code));
    for (const code of foreign) expect(breaches(row, refused(row, code))).toBe(1);
    const about = row.errors.find((code) => code === 'not_found' || code === 'parameter_invalid');
    if (about) expect(breaches(row, errorReply(about, 'secret'))).toBe(1);
  });
});

test('If has_more is true, a page below its item limit and 500 KB passes only if it has unread counts and its request made more than 25 table calls', () => {
  const row = listConversations;
  const { data } = examples['conversations/list'].reply;
  const link = '<https://here/v1/x?starting_after=y>; rel="next"';
  const pageOf = (one: object) =>
    withHeader(goodReply(row, { has_more: true, data: [one] }), 'Link', link);
  const counted = pageOf({ ...data[0], unread_count: 100 });
  const breachesAfter = (calls: number, reply: ObservedReply) =>
    findBreaches({ row, calls }, reply).length;
  expect(breachesAfter(26, counted)).toBe(0);
  expect(breachesAfter(25, counted)).toBe(1);
  expect(breachesAfter(26, pageOf({ ...data[0] }))).toBe(1);
  expect(findBreaches({ row }, counted)).toHaveLength(1);
});

test('For an unknown path, only gateway errors pass, and status 431 passes only with isGatewayReplyAllowed', () => {
  expect(findBreaches({ row: undefined }, errorReply('not_found'))).toEqual([]);
  expect(findBreaches({ row: undefined }, errorReply('not_allowed'))).toHaveLength(1);
  const tooLong = { ...errorReply('request_invalid'), status: 431 };
  expect(findBreaches({ row: undefined }, tooLong)).toHaveLength(1);
  expect(findBreaches({ row: undefined, isGatewayReplyAllowed: true }, tooLong)).toEqual([]);
});

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalog, code);
