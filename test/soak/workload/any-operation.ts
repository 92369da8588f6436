import { examples } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { exampleCalls, toRequest } from '../../support/fault-replay/example-calls.ts';
import { isChecked } from '../checker/checker.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { chooseConversation, chooseMessage } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

const rows: readonly Operation[] = operations;

/** Operations without a model; their replies are checked only against the contract. */
export const uncheckedOperations = rows.filter((row) => !isChecked(row));

const idParameters = {
  conversation: examples['conversations/create'].reply.id,
  message: examples['messages/send'].reply.id,
};

/** Sends the operation's example with an existing conversation and message. */
export function requestByExample(session: Session, row: Operation): Promise<Exchange | undefined> {
  const { sendRequest, person } = session;
  const example = exampleCalls.find((one) => one.row === row);
  if (!example) throw new Error(`The operation ${row.id} has no example.`);
  const conversation = chooseConversation(session);
  const message = chooseMessage(session, conversation, false);
  const names = new Map([
    ...(conversation ? [[idParameters.conversation, conversation.id] as const] : []),
    ...(message ? [[idParameters.message, message.id] as const] : []),
  ]);
  const { path, query: exampleQuery, body } = toRequest(example, names);
  const query = Object.fromEntries(Object.entries(exampleQuery).flatMap(toNumberedParameters));
  return sendRequest(person.caller, row, {
    path,
    query,
    ...(body !== undefined && { body: Object(body) }),
  });
}

/** Returns each value of a list parameter under a numbered name, such as `expand[0]`. */
const toNumberedParameters = ([name, value]: [string, string | string[]]): [string, string][] =>
  typeof value === 'string' ? [[name, value]] : value.map((one, n) => [`${name}[${n}]`, one]);

export async function requestUnchecked(session: Session): Promise<void> {
  const row = session.random.one(uncheckedOperations);
  if (row) await requestByExample(session, row);
}
