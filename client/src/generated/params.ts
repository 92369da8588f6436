// Written from the contract by `npm run docs`.

import type { BusinessFormat, NotExcluded, OmitFromEach, OneCursor } from '../result-types.ts';
import type {
  CreateAttachment,
  CreateConversation,
  CreateGroup,
  CreateReport,
  Expansion,
  FlagName,
  MessageExpansion,
  PutGroupMember,
  SendMessage,
  UpdateConversation,
  UpdateGroup,
  UpdateMessage,
  UpdatePersonSettings,
} from './types.ts';

/** What `messages.list` takes. */
export type ListMessagesParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** Conversation whose messages are listed; without it, all. */
  conversation_id?: string | undefined;
  /** Returns the same, but marks nothing as read or opened. */
  peek?: boolean | undefined;
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** What `messages.send` takes. */
export type SendMessageParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
} & OmitFromEach<SendMessage, 'expand'>;

/** What `messages.retrieve` takes. */
export type RetrieveMessageParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** The id of the message. */
  message_id: string;
  /** Returns the same, but marks nothing as read or opened. */
  peek?: boolean | undefined;
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
};

/** What `messages.update` takes. */
export type UpdateMessageParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** The id of the message. */
  message_id: string;
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
} & OmitFromEach<UpdateMessage, 'expand'>;

/** What `messages.delete` takes. */
export type DeleteMessageParams = {
  /** The id of the message. */
  message_id: string;
};

/** What `attachments.create` takes. */
export type CreateAttachmentParams = CreateAttachment;

/** What `attachments.retrieve` takes. */
export type RetrieveAttachmentParams = {
  /** The id of the attachment. */
  attachment_id: string;
  /** Returns a WebP thumbnail of at most 320 × 320 pixels, or the image itself while it has none. Only for image/avif, image/gif, image/jpeg, image/png, image/webp; 400 for other files. */
  size?: number | undefined;
};

/** What `conversations.list` takes. */
export type ListConversationsParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** Only conversations that the caller has muted. */
  muted?: boolean | undefined;
  /** Only conversations that the caller has archived. */
  archived?: boolean | undefined;
  /** Only conversations that the caller has pinned. */
  pinned?: boolean | undefined;
  /** Only conversations of this group. */
  group_id?: string | undefined;
  /** Only direct conversations with this contact; with `group_id`, those of the group with this `contact_id`. */
  contact_id?: string | undefined;
  /** Only conversations with the caller's businesses that are assigned to this contact, to the caller (`me`) or to no one (`nobody`), newest conversation first. Combines only with `group_id`. */
  assigned_to?: string | undefined;
  /** Leaves out conversations that the caller has muted, archived or pinned; repeatable. Not allowed with the parameter of the same name. */
  exclude?: readonly FlagName[] | undefined;
  /** Fields to add to the conversation; repeatable. Marks nothing as read. */
  expand?: Value | undefined;
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor & NotExcluded<'muted'> & NotExcluded<'archived'> & NotExcluded<'pinned'>;

/** What `conversations.create` takes. */
export type CreateConversationParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** Fields to add to the conversation; repeatable. Marks nothing as read. */
  expand?: Value | undefined;
} & OmitFromEach<CreateConversation, 'expand'>;

/** What `conversations.retrieve` takes. */
export type RetrieveConversationParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** The id of the conversation. */
  conversation_id: string;
  /** Fields to add to the conversation; repeatable. Marks nothing as read. */
  expand?: Value | undefined;
};

/** What `conversations.update` takes. */
export type UpdateConversationParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** The id of the conversation. */
  conversation_id: string;
  /** Fields to add to the conversation; repeatable. Marks nothing as read. */
  expand?: Value | undefined;
} & OmitFromEach<UpdateConversation, 'expand'>;

/** What `conversations.delete` takes. */
export type DeleteConversationParams = {
  /** The id of the conversation. */
  conversation_id: string;
};

/** What `readers.list` takes. */
export type ListReadersParams = {
  /** The id of the conversation. */
  conversation_id: string;
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** What `groups.create` takes. */
export type CreateGroupParams = CreateGroup;

/** What `groups.list` takes. */
export type ListGroupsParams = {
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** What `groups.retrieve` takes. */
export type RetrieveGroupParams = {
  /** The id of the group. */
  group_id: string;
};

/** What `groups.update` takes. */
export type UpdateGroupParams = {
  /** The id of the group. */
  group_id: string;
} & UpdateGroup;

/** What `groups.delete` takes. */
export type DeleteGroupParams = {
  /** The id of the group. */
  group_id: string;
};

/** What `members.list` takes. */
export type ListGroupMembersParams = {
  /** The id of the group. */
  group_id: string;
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** What `members.put` takes. */
export type PutGroupMemberParams = {
  /** The id of the group. */
  group_id: string;
  /** Must not start with business:, which is not the id of a user. */
  contact_id: string;
} & PutGroupMember;

/** What `members.remove` takes. */
export type RemoveGroupMemberParams = {
  /** The id of the group. */
  group_id: string;
  /** Must not start with business:, which is not the id of a user. */
  contact_id: string;
};

/** What `settings.retrieve` takes. */
export type RetrieveSettingsParams = Record<never, never>;

/** What `settings.update` takes. */
export type UpdateSettingsParams = UpdatePersonSettings;

/** What `contacts.retrieve` takes. */
export type RetrieveContactParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** What `blocks.list` takes. */
export type ListBlocksParams = {
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** What `blocks.create` takes. */
export type CreateBlockParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** What `blocks.delete` takes. */
export type DeleteBlockParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** What `reports.create` takes. */
export type CreateReportParams = CreateReport;

/** What `business.list` takes. */
export type ListBusinessesParams<Value extends BusinessFormat = BusinessFormat> = {
  /** Only listings whose `status` is `active`. */
  active?: boolean | undefined;
  /** Only listings near this `latitude,longitude`, nearest first. Not with `industry` or `q`. */
  near?: string | undefined;
  /** Maximum distance in metres, with `near`; 10000 by default. */
  radius?: number | undefined;
  /** Only listings of this `industry`. Not with `q`. */
  industry?: string | undefined;
  /** Only listings whose `title` contains these words in this order, the last possibly incomplete, sorted by the title from there on. */
  q?: string | undefined;
  /** Field set of the reply. */
  format?: Value | undefined;
  /** Fields to add to each listing; repeatable. */
  expand?: readonly 'opening'[] | undefined;
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: continue after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** What `business.retrieve` takes. */
export type RetrieveBusinessParams<Value extends BusinessFormat = BusinessFormat> = {
  /** The `public_id` of the business. */
  public_id: string;
  /** Field set of the reply. */
  format?: Value | undefined;
  /** Fields to add to each listing; repeatable. */
  expand?: readonly 'opening'[] | undefined;
};

/** What `events.list` takes. */
export type ListEventsParams = {
  /** Items per page. A page has fewer, but at least one, at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor from a `next` link or from `GET /v1/live`: continue after it. Without it, from the oldest retained event. */
  starting_after?: string | undefined;
};

/** What `live.retrieve` takes. */
export type RetrieveLiveParams = Record<never, never>;
