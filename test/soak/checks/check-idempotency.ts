import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import type { FirstReply, Model } from '../model/model.ts';

/**
 * Returns the key with its caller and operation, because a key is unique only for a caller and an
 * operation. Returns `undefined` if the request has no key.
 */
export function getIdempotencyKey({ who, row, sent }: Request): string | undefined {
  const key = sent.headers?.['Idempotency-Key'];
  return key === undefined ? undefined : `${who.id} ${row.id} ${key}`;
}

export const isReplayed = ({ reply }: Exchange): boolean =>
  reply.headers.get('idempotent-replayed') === 'true';

/** Records the use of a key. Returns the check for the reply. */
export function checkIdempotency(model: Model, request: Request): (exchange: Exchange) => void {
  const key = getIdempotencyKey(request);
  if (key === undefined) return (exchange) => checkWithoutKey(model, exchange);
  const asked = JSON.stringify(request.sent.body);
  const first = model.firstReplies.get(key) ?? { asked, originalCame: false };
  model.firstReplies.set(key, first);
  return (exchange) => {
    if (hasUnknownOutcome(exchange)) model.uncertainKeys += 1;
    else checkWithKey(model, exchange, first, asked);
  };
}

function checkWithoutKey(model: Model, exchange: Exchange): void {
  if (isSuccess(exchange) && isReplayed(exchange)) {
    model.report({ expected: 'no replayed reply, as there was no key', exchange });
  }
}

/**
 * Checks the reply to a request with a key. If the body is the key's first body, a
 * successful reply must equal the first reply, and 422 is a violation. If the body differs, the
 * request must fail.
 */
function checkWithKey(model: Model, exchange: Exchange, first: FirstReply, asked: string): void {
  const fail = (expected: string) => model.report({ expected, exchange });
  const isReused = exchange.reply.status === 422;
  if (isReused && asked === first.asked)
    fail('a status other than 422, as the request is the same');
  if (!isSuccess(exchange)) return;
  if (first.text !== undefined && asked !== first.asked) fail('422, as the request differs');
  const text = JSON.stringify(exchange.reply.body);
  const replayed = isReplayed(exchange);
  first.text ??= text;
  if (first.text !== text) fail(`the first reply: ${first.text}`);
  if (!replayed && first.originalCame) fail('Idempotent-Replayed: true, as it is a replay');
  first.originalCame ||= !replayed;
}
