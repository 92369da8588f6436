// Generated from the contract by `npm run docs`.

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

/** Parameters of `messages.list`. */
export type ListMessagesParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** Conversation whose messages to list. Default: all conversations. */
  conversation_id?: string | undefined;
  /** Returns the same reply, but marks nothing as read or opened. */
  peek?: boolean | undefined;
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** Parameters of `messages.send`. */
export type SendMessageParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
} & OmitFromEach<SendMessage, 'expand'>;

/** Parameters of `messages.retrieve`. */
export type RetrieveMessageParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** The id of the message. */
  message_id: string;
  /** Returns the same reply, but marks nothing as read or opened. */
  peek?: boolean | undefined;
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
};

/** Parameters of `messages.update`. */
export type UpdateMessageParams<Value extends readonly MessageExpansion[] = readonly MessageExpansion[]> = {
  /** The id of the message. */
  message_id: string;
  /** Fields to add to each message; repeatable. */
  expand?: Value | undefined;
} & OmitFromEach<UpdateMessage, 'expand'>;

/** Parameters of `messages.delete`. */
export type DeleteMessageParams = {
  /** The id of the message. */
  message_id: string;
};

/** Parameters of `attachments.create`. */
export type CreateAttachmentParams = CreateAttachment;

/** Parameters of `attachments.retrieve`. */
export type RetrieveAttachmentParams = {
  /** The id of the attachment. */
  attachment_id: string;
  /** Returns a WebP thumbnail of at most 320 × 320 pixels, or the image itself if it has no thumbnail. Only for image/avif, image/gif, image/jpeg, image/png, image/webp; for other files, the request fails with 400. */
  size?: number | undefined;
};

/** Parameters of `conversations.list`. */
export type ListConversationsParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** Only conversations that the caller has muted. */
  muted?: boolean | undefined;
  /** Only conversations that the caller has archived. */
  archived?: boolean | undefined;
  /** Only conversations that the caller has pinned. */
  pinned?: boolean | undefined;
  /** Only conversations of this group. */
  group_id?: string | undefined;
  /** Only direct conversations with this contact; with `group_id`, only conversations of that group that have this `contact_id`. */
  contact_id?: string | undefined;
  /** Only conversations with the caller's businesses, assigned to this contact, to the caller (`me`) or to no one (`nobody`). Can be combined only with `group_id`. */
  assigned_to?: string | undefined;
  /** Omits conversations that the caller has muted, archived or pinned; repeatable. Must not contain a flag that the query also requests, such as `muted` with `muted=true`. */
  exclude?: readonly FlagName[] | undefined;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Value | undefined;
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor & NotExcluded<'muted'> & NotExcluded<'archived'> & NotExcluded<'pinned'>;

/** Parameters of `conversations.create`. */
export type CreateConversationParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Value | undefined;
} & OmitFromEach<CreateConversation, 'expand'>;

/** Parameters of `conversations.retrieve`. */
export type RetrieveConversationParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** The id of the conversation. */
  conversation_id: string;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Value | undefined;
};

/** Parameters of `conversations.update`. */
export type UpdateConversationParams<Value extends readonly Expansion[] = readonly Expansion[]> = {
  /** The id of the conversation. */
  conversation_id: string;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Value | undefined;
} & OmitFromEach<UpdateConversation, 'expand'>;

/** Parameters of `conversations.delete`. */
export type DeleteConversationParams = {
  /** The id of the conversation. */
  conversation_id: string;
};

/** Parameters of `readers.list`. */
export type ListReadersParams = {
  /** The id of the conversation. */
  conversation_id: string;
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** Parameters of `groups.create`. */
export type CreateGroupParams = CreateGroup;

/** Parameters of `groups.list`. */
export type ListGroupsParams = {
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** Parameters of `groups.retrieve`. */
export type RetrieveGroupParams = {
  /** The id of the group. */
  group_id: string;
};

/** Parameters of `groups.update`. */
export type UpdateGroupParams = {
  /** The id of the group. */
  group_id: string;
} & UpdateGroup;

/** Parameters of `groups.delete`. */
export type DeleteGroupParams = {
  /** The id of the group. */
  group_id: string;
};

/** Parameters of `members.list`. */
export type ListGroupMembersParams = {
  /** The id of the group. */
  group_id: string;
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** Parameters of `members.put`. */
export type PutGroupMemberParams = {
  /** The id of the group. */
  group_id: string;
  /** Must not start with business:, because it must be the id of a user. */
  contact_id: string;
} & PutGroupMember;

/** Parameters of `members.remove`. */
export type RemoveGroupMemberParams = {
  /** The id of the group. */
  group_id: string;
  /** Must not start with business:, because it must be the id of a user. */
  contact_id: string;
};

/** Parameters of `settings.retrieve`. */
export type RetrieveSettingsParams = Record<never, never>;

/** Parameters of `settings.update`. */
export type UpdateSettingsParams = UpdatePersonSettings;

/** Parameters of `contacts.retrieve`. */
export type RetrieveContactParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** Parameters of `blocks.list`. */
export type ListBlocksParams = {
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** Parameters of `blocks.create`. */
export type CreateBlockParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** Parameters of `blocks.delete`. */
export type DeleteBlockParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** Parameters of `reports.create`. */
export type CreateReportParams = CreateReport;

/** Parameters of `business.list`. */
export type ListBusinessesParams<Value extends BusinessFormat = BusinessFormat> = {
  /** Only listings whose `status` is `active`. */
  active?: boolean | undefined;
  /** Only listings near this `latitude,longitude`, nearest first. Not allowed with `industry` or `q`. */
  near?: string | undefined;
  /** Maximum distance from `near` in meters. Default: 10000. */
  radius?: number | undefined;
  /** Only listings of this `industry`. Ignores case, accents and punctuation. Not allowed with `q`. */
  industry?: string | undefined;
  /** Only listings whose `title` contains these words consecutively. Ignores case, accents and punctuation. The last word may be incomplete. Sorted by the text of the title from the first of these words onward. */
  q?: string | undefined;
  /** Field set of the reply. */
  format?: Value | undefined;
  /** Fields to add to each listing; repeatable. */
  expand?: readonly 'opening'[] | undefined;
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor: returns the page after the item with this id, in list order. */
  starting_after?: string | undefined;
  /** Cursor: returns the page before the item with this id, in list order. */
  ending_before?: string | undefined;
} & OneCursor;

/** Parameters of `business.retrieve`. */
export type RetrieveBusinessParams<Value extends BusinessFormat = BusinessFormat> = {
  /** The `public_id` of the business. */
  public_id: string;
  /** Field set of the reply. */
  format?: Value | undefined;
  /** Fields to add to each listing; repeatable. */
  expand?: readonly 'opening'[] | undefined;
};

/** Parameters of `events.list`. */
export type ListEventsParams = {
  /** Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`. */
  limit?: number | undefined;
  /** Cursor from a `next` link or from `GET /v1/live`. Lists the events after the cursor. Without a cursor, starts with the oldest retained event. */
  starting_after?: string | undefined;
};

/** Parameters of `live.retrieve`. */
export type RetrieveLiveParams = Record<never, never>;
