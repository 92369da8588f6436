// Generated from the contract by `npm run docs`.

import type { Call } from '../requests/call.ts';
import type { List } from '../requests/list.ts';
import type { ListMethod, Method, MethodFactory, Retrieve } from '../requests/method.ts';
import type { CallOptions, ChangeOptions, RetrieveOptions, SendOptions } from '../options.ts';
import type { BusinessFormat, BusinessIn, Expanded, ExpandedMessage } from '../result-types.ts';
import type {
  CreateAttachmentParams,
  CreateBlockParams,
  CreateConversationParams,
  CreateGroupParams,
  CreateReportParams,
  DeleteBlockParams,
  DeleteConversationParams,
  DeleteGroupParams,
  DeleteMessageParams,
  ListBlocksParams,
  ListBusinessesParams,
  ListConversationsParams,
  ListEventsParams,
  ListGroupMembersParams,
  ListGroupsParams,
  ListMessagesParams,
  ListReadersParams,
  PutGroupMemberParams,
  RemoveGroupMemberParams,
  RetrieveAttachmentParams,
  RetrieveBusinessParams,
  RetrieveContactParams,
  RetrieveConversationParams,
  RetrieveGroupParams,
  RetrieveLiveParams,
  RetrieveMessageParams,
  RetrieveSettingsParams,
  SendMessageParams,
  UpdateConversationParams,
  UpdateGroupParams,
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
  Group,
  GroupMember,
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
    /** **Update a conversation.** Changes the given fields. All participants share the pinned message, and the staff of a business shares `assigned_to`; the other fields apply only to the caller. */
    update<const Value extends readonly Expansion[] = []>(params: UpdateConversationParams<Value>, options?: ChangeOptions): Call<Expanded<Value>>;
    /** **Delete a conversation.** Deletes the conversation and all its messages for all participants, permanently. Allowed for its creator, for the other contact of a direct conversation, and for owners and admins of a group that users create. */
    delete: Method<DeleteConversationParams, Deleted, ChangeOptions>;
  };
  readers: {
    /** **List readers of a conversation.** Contacts who have opened the conversation, the caller included, most recent opening first. Marks nothing. Omits contacts who have disabled `share_read_receipts`, and is empty for a caller who has. */
    list: ListMethod<ListReadersParams, Reader>;
  };
  groups: {
    /** **Create a group.** Creates a group with the caller as its owner. Create conversations in it with `POST /v1/conversations` and its id as `group_id`. If the request fails midway, repeat it with the same Idempotency-Key to add the remaining members. */
    create: Method<CreateGroupParams, Group, SendOptions>;
    /** **List groups.** Groups that users created and the caller is a member of, newest first. Groups of the token are not listed. */
    list: ListMethod<ListGroupsParams, Group>;
    /** **Retrieve a group.** Returns a group that the caller is a member of. */
    retrieve: Retrieve<RetrieveGroupParams, Group>;
    /** **Update a group.** Changes the given fields. Allowed for owners and admins. */
    update: Method<UpdateGroupParams, Group, ChangeOptions>;
    /** **Delete a group.** Deletes the group permanently, and its conversations with all their messages in the background. Allowed for owners. */
    delete: Method<DeleteGroupParams, Deleted, ChangeOptions>;
  };
  members: {
    /** **List members of a group.** Members of a group, in the order in which they joined. Only members can list them. */
    list: ListMethod<ListGroupMembersParams, GroupMember>;
    /** **Add a member or change their role.** Adds the contact to the group, or changes the role of a member. Allowed for owners, and for admins unless the contact is or becomes an owner. New members see the whole history. Refused with 403 `not_addable` if the contact has blocked the caller or does not accept groups from them. */
    put: Method<PutGroupMemberParams, GroupMember, CallOptions>;
    /** **Remove a member or leave.** After the reply, the contact has no access to the group. Members may leave by removing themselves. Owners may remove everyone; admins may remove everyone except owners. The last owner must make another member an owner first. */
    remove: Method<RemoveGroupMemberParams, Deleted, CallOptions>;
  };
  settings: {
    /** **Retrieve the caller's settings.** Settings for all conversations of the caller. */
    retrieve: Method<RetrieveSettingsParams, PersonSettings, CallOptions>;
    /** **Update the caller's settings.** Changes the given fields. */
    update: Method<UpdateSettingsParams, PersonSettings, CallOptions>;
  };
  contacts: {
    /** **Retrieve a contact.** Returns the caller, or a contact who shares a conversation or a user-created group with the caller. For a contact who has never written, all fields except the id are null. */
    retrieve: Retrieve<RetrieveContactParams, Contact>;
  };
  blocks: {
    /** **List blocked contacts.** The contacts whom the caller has blocked, newest first. */
    list: ListMethod<ListBlocksParams, Block>;
    /** **Block a contact.** After the reply, neither contact can write in their direct conversations or create one. Both can read them. The contact is not notified. Group conversations are unaffected. Repeating the request returns the same block. */
    create: Method<CreateBlockParams, Block, CallOptions>;
    /** **Unblock a contact.** Both can write in their direct conversations again. */
    delete: Method<DeleteBlockParams, Deleted, CallOptions>;
  };
  reports: {
    /** **Report a message, contact or business.** Sends the operators a report with a copy of what the caller sees. Only operators see it. Reporting the same subject again returns the first report. */
    create: Method<CreateReportParams, Report, SendOptions>;
  };
  business: {
    /** **List businesses.** Ordered by public id, or by one of three searches; the same for every caller. `active` combines with every search. */
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
  groups: {
    create: make.post('/v1/groups'),
    list: make.list('/v1/groups'),
    retrieve: make.retrieve('/v1/groups/{group_id}'),
    update: make.put('/v1/groups/{group_id}'),
    delete: make.delete('/v1/groups/{group_id}'),
  },
  members: {
    list: make.list('/v1/groups/{group_id}/members'),
    put: make.put('/v1/groups/{group_id}/members/{contact_id}'),
    remove: make.delete('/v1/groups/{group_id}/members/{contact_id}'),
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
