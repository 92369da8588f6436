// Written from the contract by `npm run docs`.

import type { Call } from '../requests/call.ts';
import type { List } from '../requests/list.ts';
import type { ListMethod, Method, MethodFactory, Retrieve } from '../requests/method.ts';
import type { CallOptions, ChangeOptions, RetrieveOptions, SendOptions } from '../options.ts';
import type { BusinessFormat, BusinessIn, Expanded, ExpandedMessage } from '../result-types.ts';
import type {
  CreateAttachmentParams,
  CreateBlockParams,
  CreateConversationParams,
  CreateReportParams,
  DeleteBlockParams,
  DeleteConversationParams,
  DeleteMessageParams,
  ListBlocksParams,
  ListBusinessesParams,
  ListConversationsParams,
  ListEventsParams,
  ListMessagesParams,
  ListReadersParams,
  RetrieveAttachmentParams,
  RetrieveBusinessParams,
  RetrieveContactParams,
  RetrieveConversationParams,
  RetrieveLiveParams,
  RetrieveMessageParams,
  RetrieveSettingsParams,
  SendMessageParams,
  UpdateConversationParams,
  UpdateMessageParams,
  UpdateSettingsParams,
} from './params.ts';
import type {
  AttachmentLink,
  Block,
  Contact,
  Deleted,
  Event,
  Expansion,
  Live,
  MessageExpansion,
  NewAttachment,
  PersonSettings,
  Reader,
  Report,
} from './types.ts';

/** All operations of the API, as methods. */
export interface Methods {
  messages: {
    /** **List messages.** Newest first. Listing one conversation marks its messages as read and the conversation as opened by the caller. Without `conversation_id`, lists the messages of all the caller's conversations; this, and `peek=true`, mark nothing. */
    list<const Value extends readonly MessageExpansion[] = []>(params?: ListMessagesParams<Value>, options?: CallOptions): List<ExpandedMessage<Value>>;
    /** **Send a message.** Appends a message to a conversation in which the caller participates. */
    send<const Value extends readonly MessageExpansion[] = []>(params: SendMessageParams<Value>, options?: SendOptions): Call<ExpandedMessage<Value>>;
    /** **Retrieve a message.** Marks the message as read if another member sent it, unless `peek=true`. */
    retrieve<const Value extends readonly MessageExpansion[] = []>(params: RetrieveMessageParams<Value>, options: RetrieveOptions & { ifNoneMatch: string | undefined }): Call<ExpandedMessage<Value> | null>;
    retrieve<const Value extends readonly MessageExpansion[] = []>(params: RetrieveMessageParams<Value>, options?: CallOptions): Call<ExpandedMessage<Value>>;
    /** **Update a message.** Changes the given fields. Only the sender can change text and attachments; every participant can add and remove their own reactions. */
    update<const Value extends readonly MessageExpansion[] = []>(params: UpdateMessageParams<Value>, options?: ChangeOptions): Call<ExpandedMessage<Value>>;
    /** **Delete a message.** Deletes the message for all participants, permanently. Only its sender can. If it was pinned, it is unpinned. */
    delete: Method<DeleteMessageParams, Deleted, ChangeOptions>;
  };
  attachments: {
    /** **Upload an attachment.** Returns where to upload a file, with a single PUT request that stores exactly the described bytes. Then send the id in a message of the conversation. A file that no message contains is removed after 24 hours; a sent one is removed with its message. */
    create: Method<CreateAttachmentParams, NewAttachment, SendOptions>;
    /** **Download an attachment.** Redirects to a URL of the file that is valid for five minutes. Users who can retrieve the message can download its files; before it is sent, only the uploader can. Browsers display images, audio and video, and save other files. With `size`, redirects to a thumbnail of an image. A file that is not scanned for malware yet, or is infected, is not returned. */
    retrieve: Method<RetrieveAttachmentParams, AttachmentLink, CallOptions>;
  };
  conversations: {
    /** **List conversations.** The caller's conversations, most recent activity first; with any of `muted`, `archived`, `pinned` or with `assigned_to`, newest conversation first. Filters combine, and `exclude[]` leaves conversations out. */
    list<const Value extends readonly Expansion[] = []>(params?: ListConversationsParams<Value>, options?: CallOptions): List<Expanded<Value>>;
    /** **Create a conversation.** With a contact, with a group, with both (a group conversation that also includes the contact), or with a business. With `distinct=true`, returns the distinct conversation with the contact or the business, or creates it. */
    create<const Value extends readonly Expansion[] = []>(params: CreateConversationParams<Value>, options?: SendOptions): Call<Expanded<Value>>;
    /** **Retrieve a conversation.** Returns the conversation as the caller sees it. */
    retrieve<const Value extends readonly Expansion[] = []>(params: RetrieveConversationParams<Value>, options: RetrieveOptions & { ifNoneMatch: string | undefined }): Call<Expanded<Value> | null>;
    retrieve<const Value extends readonly Expansion[] = []>(params: RetrieveConversationParams<Value>, options?: CallOptions): Call<Expanded<Value>>;
    /** **Update a conversation.** Changes the given fields. The pinned message is shared, and `assigned_to` among the staff of a business; the other fields belong to the caller. */
    update<const Value extends readonly Expansion[] = []>(params: UpdateConversationParams<Value>, options?: ChangeOptions): Call<Expanded<Value>>;
    /** **Delete a conversation.** Deletes the conversation and all its messages for all participants, permanently. Allowed for its creator and, in a direct conversation, for the other contact. */
    delete: Method<DeleteConversationParams, Deleted, ChangeOptions>;
  };
  readers: {
    /** **List readers of a conversation.** Contacts who have opened the conversation, the caller included, most recent opening first. Marks nothing. Leaves out who hides it by `share_read_receipts`, and is empty for a caller who does. */
    list: ListMethod<ListReadersParams, Reader>;
  };
  settings: {
    /** **Retrieve the caller's settings.** Settings for all conversations of the caller. */
    retrieve: Method<RetrieveSettingsParams, PersonSettings, CallOptions>;
    /** **Update the caller's settings.** Changes the given fields. */
    update: Method<UpdateSettingsParams, PersonSettings, CallOptions>;
  };
  contacts: {
    /** **Retrieve a contact.** Returns a contact who shares a conversation with the caller, or the caller. A contact who has never written has an id, and nulls. */
    retrieve: Retrieve<RetrieveContactParams, Contact>;
  };
  blocks: {
    /** **List blocked contacts.** The contacts whom the caller has blocked, newest first. */
    list: ListMethod<ListBlocksParams, Block>;
    /** **Block a contact.** From the reply on, neither of the two can write in their direct conversations, or create one. Both can read them. The contact is not notified. Group conversations are unaffected. Repeating the request returns the same block. */
    create: Method<CreateBlockParams, Block, CallOptions>;
    /** **Unblock a contact.** Both can write in their direct conversations again. */
    delete: Method<DeleteBlockParams, Deleted, CallOptions>;
  };
  reports: {
    /** **Report a message, contact or business.** Tells the operators, with a copy of what the caller sees. Only they see the report. Reporting the same again returns the first report. */
    create: Method<CreateReportParams, Report, SendOptions>;
  };
  business: {
    /** **List businesses.** In the order of public ids, or by one of three searches; the same for every caller. `active` combines with each. */
    list<Value extends BusinessFormat = 'snake_case'>(params?: ListBusinessesParams<Value>, options?: CallOptions): List<BusinessIn<Value>>;
    /** **Retrieve a business.** Returns the listing, active or not; the same for every caller. */
    retrieve<Value extends BusinessFormat = 'snake_case'>(params: RetrieveBusinessParams<Value>, options: RetrieveOptions & { ifNoneMatch: string | undefined }): Call<BusinessIn<Value> | null>;
    retrieve<Value extends BusinessFormat = 'snake_case'>(params: RetrieveBusinessParams<Value>, options?: CallOptions): Call<BusinessIn<Value>>;
  };
  events: {
    /** **List events.** Events of the caller's conversations within the last 30 days, oldest first: their own feed and those of their groups, merged. Payloads show the current state. Always has a `next` link to continue from. No event is skipped; an event may occur twice. A page may have fewer events than requested; `has_more` says whether to continue at once. */
    list: ListMethod<ListEventsParams, Event>;
  };
  live: {
    /** **Retrieve push channels and cursor.** Returns the current cursor for `GET /v1/events`, and the push channels to subscribe to in stages with push. */
    retrieve: Method<RetrieveLiveParams, Live, CallOptions>;
  };
}

export const methods = (make: MethodFactory): Methods => ({
  messages: {
    list: make.list('/v1/messages'),
    send: make.post('/v1/messages', ['expand']),
    retrieve: make.retrieve('/v1/messages/{message_id}'),
    update: make.put('/v1/messages/{message_id}', ['expand']),
    delete: make.delete('/v1/messages/{message_id}'),
  },
  attachments: {
    create: make.post('/v1/attachments'),
    retrieve: make.get('/v1/attachments/{attachment_id}', { redirect: false }),
  },
  conversations: {
    list: make.list('/v1/conversations'),
    create: make.post('/v1/conversations', ['expand']),
    retrieve: make.retrieve('/v1/conversations/{conversation_id}'),
    update: make.put('/v1/conversations/{conversation_id}', ['expand']),
    delete: make.delete('/v1/conversations/{conversation_id}'),
  },
  readers: {
    list: make.list('/v1/conversations/{conversation_id}/readers'),
  },
  settings: {
    retrieve: make.get('/v1/settings'),
    update: make.put('/v1/settings'),
  },
  contacts: {
    retrieve: make.retrieve('/v1/contacts/{contact_id}'),
  },
  blocks: {
    list: make.list('/v1/blocks'),
    create: make.put('/v1/blocks/{contact_id}'),
    delete: make.delete('/v1/blocks/{contact_id}'),
  },
  reports: {
    create: make.post('/v1/reports'),
  },
  business: {
    list: make.list('/v1/business'),
    retrieve: make.retrieve('/v1/business/{public_id}'),
  },
  events: {
    list: make.list('/v1/events'),
  },
  live: {
    retrieve: make.get('/v1/live'),
  },
});
