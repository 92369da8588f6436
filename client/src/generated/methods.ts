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
    /** **List messages.** Newest first. Those of one conversation are marked as read, and it as opened by the caller. Without `conversation_id`, those of all conversations that the caller takes part in; that marks nothing, and neither does `peek=true`. */
    list: make.list<ListMessagesParams, Message>('/v1/messages'),
    /** **Send a message.** Appends a message to a conversation that the caller takes part in. */
    send: make.post<SendMessageParams, Message>('/v1/messages'),
    /** **Retrieve a message.** Marks it as read when the caller did not send it, unless it is with `peek=true`. */
    retrieve: make.retrieve<RetrieveMessageParams, Message>('/v1/messages/{message_id}'),
    /** **Update a message.** Changes what is given. Text and attachments are for the sender to change; a reaction is for everybody to add or take back, each their own. */
    update: make.put<UpdateMessageParams, Message>('/v1/messages/{message_id}'),
    /** **Delete a message.** For everybody and for good; only its sender can. If it was pinned, nothing is pinned any more. */
    delete: make.delete<DeleteMessageParams, Deleted>('/v1/messages/{message_id}'),
  },
  conversations: {
    /** **List conversations.** Those the caller takes part in, the most recently active first; with any of `muted`, `archived`, `pinned` the newest conversation first. Filters combine, and `exclude[]` leaves out. */
    list: make.list<ListConversationsParams, Conversation>('/v1/conversations'),
    /** **Create a conversation.** With a contact, with a group, or with both: then a group conversation that the contact takes part in too. With `distinct=true` the one direct conversation with the contact, made if there is none. */
    create: make.post<CreateConversationParams, Conversation>('/v1/conversations', ['expand']),
    /** **Retrieve a conversation.** As the caller sees it. */
    retrieve: make.retrieve<RetrieveConversationParams, Conversation>('/v1/conversations/{conversation_id}'),
    /** **Update a conversation.** Changes what is given. The pinned message is shared; the pin, the mute, the archive and what was read last are the caller’s own. */
    update: make.put<UpdateConversationParams, Conversation>('/v1/conversations/{conversation_id}', ['expand']),
    /** **Delete a conversation.** With all its messages, for everybody and for good. For its creator, and in a direct conversation for the other contact too. */
    delete: make.delete<DeleteConversationParams, Deleted>('/v1/conversations/{conversation_id}'),
  },
  contacts: {
    /** **Retrieve a contact.** Of anybody with whom the caller shares a conversation, and of the caller. Who has never written here has an id, and nulls. */
    retrieve: make.retrieve<RetrieveContactParams, Contact>('/v1/contacts/{contact_id}'),
  },
  business: {
    /** **List businesses.** In the order of their public ids; the same for every caller. */
    list: make.list<ListBusinessesParams, Business | CamelBusiness>('/v1/business'),
  },
  events: {
    /** **List events.** What has happened in the caller’s conversations within 30 days, oldest first: their own feed and those of their groups, merged. Things are shown as they are now. There is a `next` link always, to go on from: nothing is skipped on the way, something may come twice. A page may have fewer than asked for; `has_more` says whether to go on at once. */
    list: make.list<ListEventsParams, Event>('/v1/events'),
  },
  live: {
    /** **Retrieve where to listen.** The cursor of now for `GET /v1/events`; and where to listen and until when, in stages that push. */
    retrieve: make.get<RetrieveLiveParams, Live>('/v1/live'),
  },
});
