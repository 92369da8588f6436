import * as v from 'valibot';
import type { Exchange, Request } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';

/**
 * Records the possible effects of a request. Returns a function that checks the reply and records
 * the actual effects.
 */
export type OperationCheck = (model: Model, request: Request) => (exchange: Exchange) => void;

export const findConversation = (
  { conversations }: Model,
  { sent }: Request,
): ConversationModel | undefined => conversations.get(sent.path?.conversation_id ?? '');

/** Reports whether the request must not mark messages as read or conversations as opened. */
export const isPeek = ({ sent }: Request): boolean => sent.query?.peek === 'true';

export const findMessage = ({ messages }: Model, { sent }: Request): MessageModel | undefined =>
  messages.get(sent.path?.message_id ?? '');

/** Returns the typed body, which the checker has already validated. */
export const parseBody = <Schema extends v.GenericSchema>(
  schema: Schema,
  { reply }: Exchange,
): v.InferOutput<Schema> => v.parse(schema, reply.body);
