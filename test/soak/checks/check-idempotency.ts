import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import type { FirstReply, Model } from '../model/model.ts';

/**
 * Returns the key with its caller and operation, because a key is unique only per caller and
 * operation.
 */
export function getIdempotencyKey({ caller, row, sent }: Request): string | undefined {
  const key = sent.headers?.['Idempotency-Key'];
  return key === undefined ? undefined : `${caller.id} ${row.id} ${key}`;
}

export const isReplayed = ({ reply }: Exchange): boolean =>
  reply.headers.get('idempotent-replayed') === 'true';

export function checkIdempotency(model: Model, request: Request): (exchange: Exchange) => void {
  const key = getIdempotencyKey(request);
  if (key === undefined) return (exchange) => checkWithoutKey(model, exchange);
  const requestBody = JSON.stringify(request.sent.body);
  const first = model.firstReplies.get(key) ?? { requestBody, hasOriginal: false };
  model.firstReplies.set(key, first);
  return (exchange) => {
    if (hasUnknownOutcome(exchange)) model.uncertainKeys += 1;
    else checkWithKey(model, exchange, first, requestBody);
  };
}

function checkWithoutKey(model: Model, exchange: Exchange): void {
  if (isSuccess(exchange) && isReplayed(exchange)) {
    model.report({ expected: 'no replayed reply, as there was no key', exchange });
  }
}

/**
 * Checks that a repeated request returns the first reply, and that a request with a different body
 * fails.
 */
function checkWithKey(
  model: Model,
  exchange: Exchange,
  first: FirstReply,
  requestBody: string,
): void {
  const fail = (expected: string) => model.report({ expected, exchange });
  const isReused = exchange.reply.status === 422;
  if (isReused && requestBody === first.requestBody)
    fail('a status other than 422, as the request is the same');
  if (!isSuccess(exchange)) return;
  if (first.text !== undefined && requestBody !== first.requestBody)
    fail('422, as the request differs');
  const text = JSON.stringify(exchange.reply.body);
  const replayed = isReplayed(exchange);
  first.text ??= text;
  if (first.text !== text) fail(`the first reply: ${first.text}`);
  if (!replayed && first.hasOriginal) fail('Idempotent-Replayed: true, as it is a replay');
  first.hasOriginal ||= !replayed;
}
