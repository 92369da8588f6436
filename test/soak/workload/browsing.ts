import { listBusinesses } from '../../../shared/contract/operations.ts';
import { linkedQuery } from '../../oracle/page.ts';
import { isDone } from '../exchange.ts';
import { limit } from './choose.ts';
import type { Session } from './person.ts';

/** Some pages of the businesses, onwards and back again, in either format. */
export async function browse({ ask, person, random }: Session): Promise<void> {
  let query: Record<string, string> | undefined = {
    ...limit(random),
    ...(random.happens(0.4) && { active: 'true' }),
    ...(random.happens(0.4) && { format: 'camelCase' }),
  };
  for (let pages = random.integer(1, 4); pages > 0 && query; pages--) {
    const exchange = await ask(person.who, listBusinesses, { query });
    if (!isDone(exchange)) return;
    const link = exchange.reply.headers.get('link');
    query = linkedQuery(link, random.happens(0.7) ? 'next' : 'prev');
  }
}
