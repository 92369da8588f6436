import { expectedBusinesses, isBusinessPage } from '../../response-invariants/business-page.ts';
import { checkStatus } from '../checks/check-status.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { OperationCheck } from './operation-check.ts';

export const checkListBusinesses: OperationCheck = (model) => (exchange) => {
  checkStatus(model, exchange, 200);
  const { reply, sent } = exchange;
  const query = sent.query ?? {};
  if (!isSuccess(exchange) || isBusinessPage(model.businesses, query, reply.body)) return;
  const ids = expectedBusinesses(model.businesses, query).data.map((one) =>
    'public_id' in one ? one.public_id : one.publicId,
  );
  model.report({ expected: `the businesses ${ids.join(', ')}, as they were imported`, exchange });
};
