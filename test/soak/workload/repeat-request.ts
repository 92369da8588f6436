import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../shared/contract/operation.ts';
import { hasUnknownOutcome, type RequestParts } from '../exchange/exchange.ts';
import type { Session } from '../session/session.ts';

const maxAttempts = 5;

/**
 * Sends a request with an Idempotency-Key up to five times, sometimes with a concurrent duplicate.
 */
export async function repeatUntilKnown(
  session: Session,
  row: Operation,
  body: Record<string, unknown>,
): Promise<void> {
  const { sendRequest, random, think, person } = session;
  const { caller } = person;
  const sent: RequestParts = { body, headers: { 'Idempotency-Key': randomUUID() } };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const duplicates = random.chance(0.4) ? 2 : 1;
    const exchanges = await Promise.all(
      Array.from({ length: duplicates }, () => sendRequest(caller, row, sent)),
    );
    const isOpen = exchanges.some((one) => hasUnknownOutcome(one) || one.reply.status === 409);
    if (!isOpen && random.chance(0.6)) return;
    await think(random.integer(20, 400));
  }
}
