import type { Conversation, Deleted, DeletedMessage, Message } from '../generated/types.ts';

export type Thing = Message | Conversation | Deleted | DeletedMessage;

export const isDeleted = (thing: Thing): thing is Deleted | DeletedMessage => 'deleted' in thing;

export const isDeletedMessage = (thing: Thing): thing is DeletedMessage =>
  isDeleted(thing) && 'conversation_id' in thing;

export const isMessage = (thing: Thing): thing is Message =>
  !isDeleted(thing) && 'conversation_id' in thing;

export const isConversation = (thing: Thing): thing is Conversation =>
  !isDeleted(thing) && !isMessage(thing);
