import { createBlock, listBlocks } from '../../../shared/contract/operations.ts';
import { checkStatus } from '../checks/check-status.ts';
import { hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import { getHorizon, type Model } from '../model/model.ts';
import {
  beginWrite,
  createRegister,
  endWrite,
  getPossibleValues,
  observeValue,
  type Register,
  undoWrite,
} from '../model/register.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

/**
 * Returns the register that records whether the caller blocks the contact in the path. Creates the
 * register if it is missing.
 */
function findBlock({ blocks }: Model, { caller, sent }: Request): Register<boolean> {
  const own = blocks.get(caller.id) ?? new Map<string, Register<boolean>>();
  blocks.set(caller.id, own);
  const contactId = sent.path?.contact_id ?? '';
  const register = own.get(contactId) ?? createRegister(false);
  own.set(contactId, register);
  return register;
}

export const checkCreateBlock: OperationCheck = (model, request) => {
  const register = findBlock(model, request);
  const write = beginWrite(register, true, request.startOrder, getHorizon(model));
  return (exchange) => {
    checkStatus(model, exchange, 200);
    if (!isSuccess(exchange)) return;
    endWrite(write, exchange.ended);
    const { contact_id } = parseBody(createBlock.reply, exchange);
    if (contact_id !== request.sent.path?.contact_id)
      model.report({ expected: 'the blocked contact', exchange });
  };
};

export const checkDeleteBlock: OperationCheck = (model, request) => {
  const register = findBlock(model, request);
  const write = beginWrite(register, false, request.startOrder, getHorizon(model));
  return (exchange) => {
    checkStatus(model, exchange, 200, 404);
    if (hasUnknownOutcome(exchange)) return;
    if (isSuccess(exchange)) {
      endWrite(write, exchange.ended);
      return;
    }
    undoWrite(register, write);
    if (!observeValue(register, exchange, false))
      model.report({ expected: '200, as the contact was blocked before', exchange });
  };
};

/** Checks that the first page lists exactly the blocked contacts, newest block first. */
export const checkListBlocks: OperationCheck = (model, { caller }) => {
  return (exchange) => {
    checkStatus(model, exchange, 200);
    if (!isSuccess(exchange)) return;
    const { data } = parseBody(listBlocks.reply, exchange);
    const times = data.map(({ created_at }) => created_at);
    const report = (expected: string) => model.report({ expected, exchange });
    if (times.some((time, n) => time > (times[n - 1] ?? Number.POSITIVE_INFINITY)))
      report('the newest block first');
    const shown = new Set(data.map(({ contact_id }) => contact_id));
    const own = model.blocks.get(caller.id) ?? new Map<string, Register<boolean>>();
    for (const id of shown) if (!own.has(id)) report(`no block of ${id}`);
    for (const [id, register] of own) {
      if (!getPossibleValues(register, exchange).has(shown.has(id)))
        report(`${shown.has(id) ? 'no ' : 'a '}block of ${id}`);
    }
  };
};
