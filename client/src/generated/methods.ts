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
    /** **List messages.** Lists messages, newest first. Listing one conversation marks the listed messages as read and the conversation as opened by the caller. Without `conversation_id`, lists the messages of all the caller's conversations and marks nothing as read or opened. `peek=true` prevents both marks. */
    list<const Value extends readonly MessageExpansion[] = []>(params?: ListMessagesParams<Value>, options?: CallOptions): List<ExpandedMessage<Value>>;
    /** **Send a message.** Appends a message to a conversation in which the caller participates. */
    send<const Value extends readonly MessageExpansion[] = []>(params: SendMessageParams<Value>, options?: SendOptions): Call<ExpandedMessage<Value>>;
    /** **Retrieve a message.** Returns a message. Marks it as read if another member sent it, unless `peek=true`. */
    retrieve<const Value extends readonly MessageExpansion[] = []>(params: RetrieveMessageParams<Value>, options: RetrieveOptions & { ifNoneMatch: string | undefined }): Call<ExpandedMessage<Value> | null>;
    retrieve<const Value extends readonly MessageExpansion[] = []>(params: RetrieveMessageParams<Value>, options?: CallOptions): Call<ExpandedMessage<Value>>;
    /** **Update a message.** Changes the given fields. Only the sender can change text and attachments; every participant can add and remove their own reactions. */
    update<const Value extends readonly MessageExpansion[] = []>(params: UpdateMessageParams<Value>, options?: ChangeOptions): Call<ExpandedMessage<Value>>;
    /** **Delete a message.** Permanently deletes the message for all participants, and unpins it. Only its sender can delete it. */
    delete: Method<DeleteMessageParams, Deleted, ChangeOptions>;
  };
  attachments: {
    /** **Upload an attachment.** Returns a URL that accepts one PUT request with exactly the described bytes. After the upload, send the id in a message of the conversation. A file that no message contains is removed after 24 hours. A sent file is removed with its message. */
    create: Method<CreateAttachmentParams, NewAttachment, SendOptions>;
    /** **Download an attachment.** Redirects to a file URL that is valid for five minutes. Users who can retrieve the message can download its files. Before the message is sent, only the uploader can download them. Browsers display images, audio and video, and save other files. With `size`, redirects to a thumbnail of an image. A file is unavailable while it is being scanned for malware. It remains unavailable if it is infected or, on some stages, if it cannot be scanned. */
    retrieve: Method<RetrieveAttachmentParams, AttachmentLink, CallOptions>;
  };
  conversations: {
    /** **List conversations.** Lists the caller's conversations, most recent activity first. With `muted`, `archived`, `pinned` or `assigned_to`, lists the newest conversation first. Most filters can be combined. `exclude[]` omits muted, archived or pinned conversations. */
    list<const Value extends readonly Expansion[] = []>(params?: ListConversationsParams<Value>, options?: CallOptions): List<Expanded<Value>>;
    /** **Create a conversation.** Creates a conversation with a contact, with a group, with both (a group conversation that also includes the contact), or with a business. With `distinct=true`, returns the distinct conversation with the contact or the business, or creates it. */
    create<const Value extends readonly Expansion[] = []>(params: CreateConversationParams<Value>, options?: SendOptions): Call<Expanded<Value>>;
    /** **Retrieve a conversation.** Returns the conversation as the caller sees it. */
    retrieve<const Value extends readonly Expansion[] = []>(params: RetrieveConversationParams<Value>, options: RetrieveOptions & { ifNoneMatch: string | undefined }): Call<Expanded<Value> | null>;
    retrieve<const Value extends readonly Expansion[] = []>(params: RetrieveConversationParams<Value>, options?: CallOptions): Call<Expanded<Value>>;
    /** **Update a conversation.** Changes the given fields. `last_read_message_id` also sets the `read_at` of messages. */
    update<const Value extends readonly Expansion[] = []>(params: UpdateConversationParams<Value>, options?: ChangeOptions): Call<Expanded<Value>>;
    /** **Delete a conversation.** Permanently deletes the conversation and all its messages for all participants. Allowed for its creator, for the other contact of a direct conversation and, in a user-created group, for owners and admins. */
    delete: Method<DeleteConversationParams, Deleted, ChangeOptions>;
  };
  readers: {
    /** **List readers of a conversation.** Lists the contacts who have opened the conversation, including the caller, most recent opening first. Does not mark messages as read. Omits contacts who have disabled `share_read_receipts`. If the caller has disabled it, the list is empty. */
    list: ListMethod<ListReadersParams, Reader>;
  };
  groups: {
    /** **Create a group.** Creates a group with the caller as its owner. Create conversations in it with `POST /v1/conversations` and its id as `group_id`. If the request fails midway, repeat it with the same Idempotency-Key to add the remaining members. */
    create: Method<CreateGroupParams, Group, SendOptions>;
    /** **List groups.** Lists the user-created groups that the caller is a member of, newest first. Omits groups from the token. */
    list: ListMethod<ListGroupsParams, Group>;
    /** **Retrieve a group.** Returns a group that the caller is a member of. */
    retrieve: Retrieve<RetrieveGroupParams, Group>;
    /** **Update a group.** Changes the given fields. Allowed for owners and admins. */
    update: Method<UpdateGroupParams, Group, ChangeOptions>;
    /** **Delete a group.** Permanently deletes the group and, in the background, its conversations with all their messages. Allowed for owners. */
    delete: Method<DeleteGroupParams, Deleted, ChangeOptions>;
  };
  members: {
    /** **List members of a group.** Lists the members in the order in which they joined. Only members can list them. */
    list: ListMethod<ListGroupMembersParams, GroupMember>;
    /** **Add a member or change their role.** Adds the contact to the group, or changes the role of a member. Allowed for owners, and for admins unless the contact is or becomes an owner. New members see the whole history. Fails with 403 `not_addable` if the caller or the contact has blocked the other, or if the contact does not accept groups from the caller. */
    put: Method<PutGroupMemberParams, GroupMember, CallOptions>;
    /** **Remove a member or leave.** Removes the contact, who has no access to the group after the reply. Members may leave by removing themselves. Owners may remove everyone; admins may remove everyone except owners. The last owner must make another member an owner before leaving. */
    remove: Method<RemoveGroupMemberParams, Deleted, CallOptions>;
  };
  settings: {
    /** **Retrieve the caller's settings.** Returns the caller's settings for all conversations and groups. */
    retrieve: Method<RetrieveSettingsParams, PersonSettings, CallOptions>;
    /** **Update the caller's settings.** Changes the given fields. */
    update: Method<UpdateSettingsParams, PersonSettings, CallOptions>;
  };
  contacts: {
    /** **Retrieve a contact.** Returns the caller, or a contact who shares a conversation or a user-created group with the caller. Until a contact's first write request, all fields except the id are null. */
    retrieve: Retrieve<RetrieveContactParams, Contact>;
  };
  blocks: {
    /** **List blocked contacts.** Lists the contacts whom the caller has blocked, newest first. */
    list: ListMethod<ListBlocksParams, Block>;
    /** **Block a contact.** After the reply, neither the caller nor the contact can write in their direct conversations or create one. Both can still read the existing ones. The contact is not notified. Group conversations are unaffected. Repeating the request returns the same block. */
    create: Method<CreateBlockParams, Block, CallOptions>;
    /** **Unblock a contact.** Lets the caller and the contact write in their direct conversations again, unless the contact has blocked the caller. */
    delete: Method<DeleteBlockParams, Deleted, CallOptions>;
  };
  reports: {
    /** **Report a message, contact or business.** Sends the operators a report with a copy of its subject: the message, contact or business. Other users do not see the report. Reporting the same subject again within 90 days returns the first report. */
    create: Method<CreateReportParams, Report, SendOptions>;
  };
  business: {
    /** **List businesses.** Lists businesses sorted by public id, or the sorted results of one of three searches. The list is the same for every caller. `active` can be combined with every search. */
    list<Value extends BusinessFormat = 'snake_case'>(params?: ListBusinessesParams<Value>, options?: CallOptions): List<BusinessIn<Value>>;
    /** **Retrieve a business.** Returns the listing, active or not. It is the same for every caller. */
    retrieve<Value extends BusinessFormat = 'snake_case'>(params: RetrieveBusinessParams<Value>, options: RetrieveOptions & { ifNoneMatch: string | undefined }): Call<BusinessIn<Value> | null>;
    retrieve<Value extends BusinessFormat = 'snake_case'>(params: RetrieveBusinessParams<Value>, options?: CallOptions): Call<BusinessIn<Value>>;
  };
  events: {
    /** **List events.** Lists the events of at least the last 30 days, oldest first. Merges the caller's own feed with the feeds of their groups. Payloads show the current state. Every page has a `next` link to continue from. Every event is listed, but an event may appear twice. A page may have fewer events than requested; continue at once if `has_more` is true. */
    list: ListMethod<ListEventsParams, Event>;
  };
  live: {
    /** **Retrieve push channels and cursor.** Returns the push channels to subscribe to, and the current cursor for `GET /v1/events`. */
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
