// Written from the contract by `npm run docs`.

import type { MethodFactory } from '../method.ts';
import type {
  Business,
  CamelBusiness,
  Contact,
  Conversation,
  CreateConversationParams,
  DeleteConversationParams,
  DeleteMessageParams,
  Deleted,
  Event,
  ListBusinessesParams,
  ListConversationsParams,
  ListEventsParams,
  ListMessagesParams,
  Live,
  Message,
  RetrieveContactParams,
  RetrieveConversationParams,
  RetrieveLiveParams,
  RetrieveMessageParams,
  SendMessageParams,
  UpdateConversationParams,
  UpdateMessageParams,
} from './types.ts';

/** All operations of the API, as methods. */
export const methods = (make: MethodFactory) => ({
  messages: {
    /** **List messages.** Newest first. Listing one conversation marks its messages as read and the conversation as opened by the caller. Without `conversation_id`, lists the messages of all the caller's conversations; this, and `peek=true`, mark nothing. */
    list: make.list<ListMessagesParams, Message>('/v1/messages'),
    /** **Send a message.** Appends a message to a conversation in which the caller participates. */
    send: make.post<SendMessageParams, Message>('/v1/messages'),
    /** **Retrieve a message.** Marks the message as read if another member sent it, unless `peek=true`. */
    retrieve: make.retrieve<RetrieveMessageParams, Message>('/v1/messages/{message_id}'),
    /** **Update a message.** Changes the given fields. Only the sender can change text and attachments; every participant can add and remove their own reactions. */
    update: make.put<UpdateMessageParams, Message>('/v1/messages/{message_id}'),
    /** **Delete a message.** Deletes the message for all participants, permanently. Only its sender can. If it was pinned, it is unpinned. */
    delete: make.delete<DeleteMessageParams, Deleted>('/v1/messages/{message_id}'),
  },
  conversations: {
    /** **List conversations.** The caller's conversations, most recent activity first; with any of `muted`, `archived`, `pinned`, newest conversation first. Filters combine, and `exclude[]` leaves conversations out. */
    list: make.list<ListConversationsParams, Conversation>('/v1/conversations'),
    /** **Create a conversation.** With a contact, with a group, or with both: a group conversation that also includes the contact. With `distinct=true`, returns the distinct direct conversation with the contact, or creates it. */
    create: make.post<CreateConversationParams, Conversation>('/v1/conversations', ['expand']),
    /** **Retrieve a conversation.** Returns the conversation as the caller sees it. */
    retrieve: make.retrieve<RetrieveConversationParams, Conversation>('/v1/conversations/{conversation_id}'),
    /** **Update a conversation.** Changes the given fields. The pinned message is shared; `is_pinned`, `is_muted`, `archived_at` and the read position belong to the caller. */
    update: make.put<UpdateConversationParams, Conversation>('/v1/conversations/{conversation_id}', ['expand']),
    /** **Delete a conversation.** Deletes the conversation and all its messages for all participants, permanently. Allowed for its creator and, in a direct conversation, for the other contact. */
    delete: make.delete<DeleteConversationParams, Deleted>('/v1/conversations/{conversation_id}'),
  },
  contacts: {
    /** **Retrieve a contact.** Returns a contact who shares a conversation with the caller, or the caller. A contact who has never written has an id, and nulls. */
    retrieve: make.retrieve<RetrieveContactParams, Contact>('/v1/contacts/{contact_id}'),
  },
  business: {
    /** **List businesses.** In the order of public ids; the same for every caller. */
    list: make.list<ListBusinessesParams, Business | CamelBusiness>('/v1/business'),
  },
  events: {
    /** **List events.** Events of the caller's conversations within the last 30 days, oldest first: their own feed and those of their groups, merged. Payloads show the current state. Always has a `next` link to continue from. No event is skipped; an event may occur twice. A page may have fewer events than requested; `has_more` says whether to continue at once. */
    list: make.list<ListEventsParams, Event>('/v1/events'),
  },
  live: {
    /** **Retrieve push channels and cursor.** Returns the current cursor for `GET /v1/events`, and the push channels to subscribe to in stages with push. */
    retrieve: make.get<RetrieveLiveParams, Live>('/v1/live'),
  },
});
