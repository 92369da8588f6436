import * as v from 'valibot';
import type { Exchange, Request } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';

/** Takes note of what a request may do from now on, and gives what judges its reply and takes note of what it has done. */
export type OperationCheck = (model: Model, request: Request) => (exchange: Exchange) => void;

/** What a request that names one in its path is about; undefined when there is no such thing. */
export const findConversation = (
  { conversations }: Model,
  { sent }: Request,
): ConversationModel | undefined => conversations.get(sent.path?.conversation_id ?? '');

/** It is to be marked neither as read nor as opened. */
export const isPeek = ({ sent }: Request): boolean => sent.query?.peek === 'true';

export const findMessage = ({ messages }: Model, { sent }: Request): MessageModel | undefined =>
  messages.get(sent.path?.message_id ?? '');

/** A reply that has been held against the contract already, as what the contract says it is. */
export const parseBody = <Schema extends v.GenericSchema>(
  schema: Schema,
  { reply }: Exchange,
): v.InferOutput<Schema> => v.parse(schema, reply.body);
