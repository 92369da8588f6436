import { listBusinesses, retrieveBusiness } from '../../../shared/contract/operations.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { limit } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

export async function browseBusinesses({
  sendRequest,
  model,
  person,
  random,
}: Session): Promise<void> {
  const public_id = random.one(model.businesses)?.public_id ?? 'unknown';
  await sendRequest(person.caller, retrieveBusiness, { path: { public_id } });
  let query: Record<string, string> | undefined = {
    ...limit(random),
    ...(random.chance(0.4) && { active: 'true' }),
    ...(random.chance(0.4) && { format: 'camelCase' }),
  };
  for (let pages = random.integer(1, 4); pages > 0 && query; pages--) {
    const exchange = await sendRequest(person.caller, listBusinesses, { query });
    if (!isSuccess(exchange)) return;
    const link = exchange.reply.headers.get('link');
    query = getLinkQuery(link, random.chance(0.7) ? 'next' : 'prev');
  }
}
