import { expect, jest, test } from '@jest/globals';
import { ApiError, NoReplyError, SignedOutError } from '../../../../../client/src/index.ts';
import {
  decideFailure,
  NoEventsError,
} from '../../../../../client/src/live/connection/failure-policy.ts';
import { TooManyEventsError } from '../../../../../client/src/live/connection/feed-reader.ts';
import { PushError } from '../../../../../client/src/live/connection/push-connection.ts';
import { toApiError } from '../../../../../client/src/requests/to-api-error.ts';

const toError = (status: number, code: string) =>
  toApiError({ status, headers: { get: () => null }, text: JSON.stringify({ code }) });
const ended = new PushError('ended', 'The connection was closed.');
const unexpected = new ApiError('unexpected_reply', '', {
  status: 403,
  param: null,
  requestId: null,
  documentationUrl: null,
  retryAfter: null,
});

test.each([
  ['a closed connection', ended, 0, 'catching-up', 500],
  ['a repeatedly closed connection', ended, 3, 'offline', 4000],
  ['no reply', new NoReplyError('network', null), 0, 'offline', 500],
  ['a failing token function', new Error('down'), 10, 'offline', 30_000],
  ['an unavailable API', toError(503, 'unavailable'), 0, 'offline', 500],
  ['too many requests', toError(429, 'too_many_requests'), 0, 'offline', 500],
  ['an API timeout', toError(408, 'request_timeout'), 0, 'offline', 500],
  ['a conflict', toError(409, 'conflict'), 0, 'offline', 500],
  ['an internal error', toError(500, 'internal'), 0, 'offline', 500],
  ['an expired cursor', toError(410, 'cursor_expired'), 0, 'catching-up', 500],
  ['too many missed events', new TooManyEventsError(), 0, 'catching-up', 500],
  ['a reply from a proxy', unexpected, 0, 'offline', 500],
  ['a refused token', toError(401, 'token_invalid'), 0, 'failed', undefined],
  ['a refused request', toError(400, 'parameter_invalid'), 0, 'failed', undefined],
  ['a missing permission', toError(403, 'not_allowed'), 0, 'failed', undefined],
  ['a stage with events disabled', new NoEventsError(null), 0, 'failed', undefined],
  ['a signed-out user', new SignedOutError(), 0, 'signed-out', undefined],
])(
  'The failure determines the next status and the retry delay: %s',
  (_, error, failures, status, delayMs) => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { next } = decideFailure(error, failures);
    expect(next).toEqual({ name: 'waiting', status, error, ...(delayMs && { delayMs }) });
  },
);

test('An expired cursor or too many missed events require a reload, and a refused token requires a fresh token', () => {
  const refused = new PushError('refused', 'UnauthorizedException');
  const facts = [toError(410, 'cursor_expired'), new TooManyEventsError(), refused, ended].map(
    (error) => {
      const { needsReload, needsFreshToken } = decideFailure(error, 0);
      return [needsReload, needsFreshToken];
    },
  );
  expect(facts).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [false, false],
  ]);
});
