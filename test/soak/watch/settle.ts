import { type Exchange, isDone, isUnknown, type Request } from '../exchange.ts';
import { horizonOf, type Model } from '../model/model.ts';
import { beginWrite, endWrite, type Register, undoWrite } from '../model/register.ts';
import type { ConversationModel } from '../model/things.ts';

/** By the reply, what a request sets has happened or not; without a known outcome, either may be seen from then on. */
export type Settle = (exchange: Exchange) => void;

export function setting<Value>(
  model: Model,
  { begun }: Request,
  conversation: ConversationModel,
  register: Register<Value>,
  value: Value,
): Settle {
  const write = beginWrite(register, value, begun, horizonOf(model));
  return (exchange) => {
    if (isDone(exchange)) endWrite(write, exchange.ended);
    else if (!isUnknown(exchange) && !undoWrite(register, write)) {
      const expected = 'that it was carried out, as somebody has seen it';
      model.report({ expected, exchange, conversation });
    }
  };
}
