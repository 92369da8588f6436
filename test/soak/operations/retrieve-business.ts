import { isDeepStrictEqual } from 'node:util';
import { businessFormats } from '../../../shared/contract/business/business-formats.ts';
import { checkStatus } from '../checks/check-status.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { OperationCheck } from './operation-check.ts';

export const checkRetrieveBusiness: OperationCheck = (model) => (exchange) => {
  const { path, query } = exchange.sent;
  const record = model.businesses.find(({ public_id }) => public_id === path?.public_id);
  checkStatus(model, exchange, record ? 200 : 404);
  if (!record || !isSuccess(exchange)) return;
  const show = businessFormats[query?.format === 'camelCase' ? 'camelCase' : 'snake_case'];
  const expected: unknown = JSON.parse(JSON.stringify(show(record)));
  if (isDeepStrictEqual(exchange.reply.body, expected)) return;
  model.report({ expected: `the business ${record.public_id}, as it was imported`, exchange });
};
