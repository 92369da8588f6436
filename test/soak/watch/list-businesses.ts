import { expectedBusinesses, isBusinessPage } from '../../oracle/business-page.ts';
import { isDone } from '../exchange.ts';
import { judgeStatus } from '../judge/outcome.ts';
import type { Watch } from './watch.ts';

/** Nobody changes businesses meanwhile: each page is known beforehand. */
export const watchListBusinesses: Watch = (world) => (exchange) => {
  judgeStatus(world, exchange, 200);
  const { reply, sent } = exchange;
  const query = sent.query ?? {};
  if (!isDone(exchange) || isBusinessPage(world.businesses, query, reply.body)) return;
  const ids = expectedBusinesses(world.businesses, query).data.map((one) =>
    'public_id' in one ? one.public_id : one.publicId,
  );
  world.report({ expected: `the businesses ${ids.join(', ')}, as they were imported`, exchange });
};
