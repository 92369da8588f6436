import { expectedBusinesses, isBusinessPage } from '../../oracle/business-page.ts';
import { isDone } from '../exchange.ts';
import { judgeStatus } from '../judge/outcome.ts';
import type { Watch } from './watch.ts';

/** Nobody changes businesses meanwhile: each page is known beforehand. */
export const watchListBusinesses: Watch = (model) => (exchange) => {
  judgeStatus(model, exchange, 200);
  const { reply, sent } = exchange;
  const query = sent.query ?? {};
  if (!isDone(exchange) || isBusinessPage(model.businesses, query, reply.body)) return;
  const ids = expectedBusinesses(model.businesses, query).data.map((one) =>
    'public_id' in one ? one.public_id : one.publicId,
  );
  model.report({ expected: `the businesses ${ids.join(', ')}, as they were imported`, exchange });
};
