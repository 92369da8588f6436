import type { Conversation, Deleted, DeletedMessage, Message } from '../../generated/types.ts';

export type Resource = Message | Conversation | Deleted | DeletedMessage;

export const isDeleted = (resource: Resource): resource is Deleted | DeletedMessage =>
  'deleted' in resource;

export const isDeletedMessage = (resource: Resource): resource is DeletedMessage =>
  isDeleted(resource) && 'conversation_id' in resource;

export const isMessage = (resource: Resource): resource is Message =>
  !isDeleted(resource) && 'conversation_id' in resource;

export const isConversation = (resource: Resource): resource is Conversation =>
  !isDeleted(resource) && !isMessage(resource);
