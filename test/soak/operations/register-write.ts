import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import { getHorizon, type Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { beginWrite, endWrite, type Register, undoWrite } from '../model/register.ts';

/**
 * Confirms or rejects a write according to its reply. If the outcome is unknown, later reads may
 * return the previous value or the written value.
 */
export type SettleWrite = (exchange: Exchange) => void;

export function registerWrite<Value>(
  model: Model,
  { startOrder }: Request,
  conversation: ConversationModel,
  register: Register<Value>,
  value: Value,
): SettleWrite {
  const write = beginWrite(register, value, startOrder, getHorizon(model));
  return (exchange) => {
    if (isSuccess(exchange)) endWrite(write, exchange.ended);
    else if (!hasUnknownOutcome(exchange) && !undoWrite(register, write)) {
      const expected = 'success, because a reply contained the value';
      model.report({ expected, exchange, conversation });
    }
  };
}
