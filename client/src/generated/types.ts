// Generated from the contract by `npm run docs`.

export type AttachmentLink = {
  /** URL that returns the file. */
  url: string;
  /** Unix time at which the URL expires. */
  expires_at: number;
};

export type CreateAttachment = {
  /** Conversation in which the file will be sent. */
  conversation_id: string;
  /** File name. */
  name: string;
  /** Media type, such as `image/jpeg`. */
  type: string;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the file in base64. The upload accepts only bytes with this hash. */
  sha256: string;
};

export type NewAttachment = {
  /** Id to send as `attachments[0][id]` within 24 hours. */
  id: string;
  /** File name. */
  name: string;
  /** Media type, such as `image/jpeg`. */
  type: string;
  /** Size in bytes. */
  size: number;
  /** Path of this API that returns the file. It does not expire. */
  url: string;
  /** `awaiting` until a message contains the attachment. */
  status: 'awaiting' | 'scanning' | 'clean' | 'infected' | 'unscanned';
  upload: {
    method: 'PUT';
    /** URL that accepts one upload of the file. */
    url: string;
    /** Headers to send unchanged with the upload. */
    headers: {
      [name: string]: string;
    };
    /** Unix time by which the upload must start. */
    expires_at: number;
  };
};

/** A listing in the snake_case field set, which is the default. It has a `public_id`; the other set does not. */
export type Business = {
  public_id: string;
  slug: string | null;
  title: string | null;
  description: string | null;
  type: string | null;
  industry: string | null;
  address: string | null;
  address_info: {
    borough: string | null;
    address: string | null;
    city: string | null;
    zip: string | null;
    region: string | null;
    country_code: string | null;
  } | null;
  phone: string | null;
  mail: string | null;
  logo: string | null;
  image: string | null;
  media: string[];
  latitude: number | null;
  longitude: number | null;
  attributes: {
    [name: string]: unknown;
  } | null;
  work_time: WorkTime | null;
  business_links: ({
    type: string | null;
    title: string | null;
    url: string | null;
  })[];
  person: ({
    'person-id': string | null;
    position: string | null;
  })[];
  created: string | null;
  last_updated: string | null;
  price_level: 'inexpensive' | 'moderate' | 'expensive' | 'very_expensive' | null;
  employees_count: number | null;
  founded: number | null;
  is_claimed: boolean | null;
  'brand-id': string | null;
  'company-id': string | null;
  status: string | null;
  time_update: string | null;
  version: string | null;
  'author-id': string | null;
  /** Only with `expand[]=opening`: whether the business is open now, according to `work_time` and `timezone`. Null if it has no hours or no known time zone. */
  opening?: {
    open_now: boolean;
    /** When the business closes; null if it is closed or stays open for more than eight days. */
    closes_at: number | null;
    /** When the business next opens; null if it is open or stays closed for more than eight days. */
    opens_at: number | null;
  } | null | undefined;
};

/** A listing in the camelCase field set, returned with `format=camelCase`. It has a `publicId`; the other set does not. */
export type CamelBusiness = {
  id: string;
  publicId: string;
  slug: string | null;
  title: string | null;
  type: string | null;
  tags: string[];
  image: string | null;
  startDate: string | null;
  endDate: string | null;
  timezone: string | null;
  host: ({
    type: string | null;
    publicId: string | null;
  })[];
  guest: string[];
  links: ({
    type: string | null;
    title: string | null;
    url: string | null;
  })[];
  address: string | null;
  addressInfo: {
    borough: string | null;
    address: string | null;
    zip: string | null;
    city: string | null;
    region: string | null;
    country: string | null;
  } | null;
  latitude: number | null;
  longitude: number | null;
  claimed: boolean | null;
  status: string | null;
  /** Must be a local date and time without a time zone, such as 2026-03-01T09:30:00. */
  date: string | null;
  version: string | null;
  authorId: string | null;
  /** Only with `expand[]=opening`: whether the business is open now, according to `work_time` and `timezone`. Null if it has no hours or no known time zone. */
  opening?: {
    open_now: boolean;
    /** When the business closes; null if it is closed or stays open for more than eight days. */
    closes_at: number | null;
    /** When the business next opens; null if it is open or stays closed for more than eight days. */
    opens_at: number | null;
  } | null | undefined;
};

export type Contact = {
  id: string;
  username: string | null;
  phone_number: string | null;
  avatar_url: string | null;
  /** Unix time in seconds. */
  last_active_at: number | null;
  /** Unix time in seconds. */
  created_at: number | null;
};

export type Conversation = {
  id: string;
  contact_id: string | null;
  group_id: string | null;
  pinned_message_id: string | null;
  is_pinned: boolean;
  is_muted: boolean;
  /** Unix time in seconds. */
  last_active_at: number | null;
  /** Unix time at which the caller last opened the conversation. */
  last_opened_at: number | null;
  /** Unix time in seconds. */
  created_at: number;
  /** Unix time in seconds. */
  archived_at: number | null;
  /** Only with `expand[]=contact`: the other contact, or null. */
  contact?: Contact | null | undefined;
  /** Only with `expand[]=last_message`: the newest message, or null. */
  last_message?: Message | null | undefined;
  /** Only with `expand[]=unread_count`: number of unread messages from other members; 100 means 100 or more. */
  unread_count?: number | undefined;
  /** Only with `expand[]=mentioned`: whether one of the 100 oldest unread messages mentions the caller. */
  mentioned?: boolean | undefined;
  /** Only with `expand[]=business`: the listing of the business that the conversation is with, or null. */
  business?: Business | null | undefined;
  /** Only with `expand[]=assigned_to`: the contact assigned to the conversation with a business, or null. Always null for callers who are not on its staff. */
  assigned_to?: string | null | undefined;
};

export type CreateConversation = {
  /** Contact id of the other user. */
  contact_id: string;
  group_id?: null | undefined;
  business_id?: null | undefined;
  /** Returns the distinct conversation with the contact or business: the existing one (200) or a new one (201). Not allowed with `group_id`. */
  distinct?: boolean | undefined;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Expansion[] | undefined;
} | {
  /** Contact id of the other user. */
  contact_id?: string | null | undefined;
  /** Group whose members participate, including the caller. */
  group_id: string;
  business_id?: null | undefined;
  /** Returns the distinct conversation with the contact or business: the existing one (200) or a new one (201). Not allowed with `group_id`. */
  distinct?: false | undefined;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Expansion[] | undefined;
} | {
  contact_id?: null | undefined;
  group_id?: null | undefined;
  /** An active business, whose staff is the group `business:<public_id>`. Not allowed with `contact_id` or `group_id`. */
  business_id: string;
  /** Returns the distinct conversation with the contact or business: the existing one (200) or a new one (201). Not allowed with `group_id`. */
  distinct?: boolean | undefined;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Expansion[] | undefined;
};

export type UpdateConversation = {
  /** Message to pin for all participants, or null to pin none. */
  pinned_message_id?: string | null | undefined;
  /** Pins the conversation, for the caller only. */
  is_pinned?: boolean | undefined;
  /** Mutes the conversation, for the caller only. */
  is_muted?: boolean | undefined;
  /** Unix time of archiving, for the caller only; null unarchives. */
  archived_at?: number | null | undefined;
  /** Marks messages up to this one as read; marks none as unread. */
  last_read_message_id?: string | undefined;
  /** Marks this message and later ones as unread. Not allowed with `last_read_message_id`. */
  mark_unread_from?: string | undefined;
  /** Member of the business’s staff to assign, or null; all staff see the assignment. With `If-Match`, only one of two concurrent requests succeeds. Not allowed with `pinned_message_id`. */
  assigned_to?: string | null | undefined;
  /** Fields to add to the conversation; repeatable. Expanding does not mark messages as read. */
  expand?: Expansion[] | undefined;
};

export type Deleted = {
  id: string;
  deleted: true;
};

/** Machine-readable reason. The meaning of a code never changes; new codes may be added. */
export type ErrorCode = 'parameter_missing' | 'parameter_invalid' | 'parameter_unknown' | 'body_malformed' | 'too_many_conversations' | 'too_many_readers' | 'request_invalid' | 'token_missing' | 'token_invalid' | 'token_expired' | 'not_allowed' | 'blocked' | 'blocking' | 'not_addable' | 'too_many_groups' | 'not_found' | 'not_uploaded' | 'not_scanned' | 'last_owner' | 'group_full' | 'groups_exceeded' | 'request_in_progress' | 'cursor_expired' | 'infected' | 'precondition_failed' | 'body_too_large' | 'content_type_unsupported' | 'idempotency_key_reused' | 'reactions_full' | 'uploads_exceeded' | 'too_many_requests' | 'internal_error' | 'unavailable' | 'timeout' | (string & {});

export type ErrorReply = {
  type: 'invalid_request' | 'api_error';
  code: ErrorCode;
  message: string;
  param: string | null;
  request_id: string;
  documentation_url: string;
};

export type FlagName = 'muted' | 'archived' | 'pinned';

export type Expansion = 'contact' | 'last_message' | 'unread_count' | 'mentioned' | 'business' | 'assigned_to';

export type MessageExpansion = 'reply_to' | 'mentions';

/** A conversation was deleted. */
export type ConversationDeletedEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'conversation.deleted';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: Deleted | null;
};

/** A conversation was created or changed. The payload shows its current state, as the reader sees it. */
export type ConversationEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'conversation.created' | 'conversation.updated';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: Conversation | Deleted | null;
};

export type DeletedMessage = {
  id: string;
  conversation_id: string;
  deleted: true;
};

export type Event = MessageEvent | MessageDeletedEvent | ConversationEvent | ConversationDeletedEvent | ReaderEvent | GroupEvent | MemberAddedEvent | MemberRemovedEvent | GroupDeletedEvent;

/** A group was deleted, with all its conversations. */
export type GroupDeletedEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'group.deleted';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: Deleted | null;
};

/** The title or avatar of a group, or the role of a member, changed. */
export type GroupEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'group.updated';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: Group | Deleted | null;
};

export type Member = {
  /** `<group_id>-<contact_id>`. */
  id: string;
  group_id: string;
  contact_id: string;
  /** Owners may do everything. Admins may change the title and the avatar, delete conversations, and add, change and remove members other than owners. Members may leave. */
  role: 'owner' | 'admin' | 'member';
  /** Unix time in seconds. */
  joined_at: number;
};

/** A contact joined a group. The payload shows the current membership. If the contact is the reader, list the conversations of the group. */
export type MemberAddedEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'group.member_added';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: Member | RemovedMember | null;
};

/** A contact left a group or was removed. Apply the event only if its version is higher than the one you have, because the contact may have joined again. */
export type MemberRemovedEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'group.member_removed';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: RemovedMember | null;
};

/** A message was deleted. */
export type MessageDeletedEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'message.deleted';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: DeletedMessage | null;
};

/** A message was sent or changed. The payload shows its current state. */
export type MessageEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'message.created' | 'message.updated';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: Message | DeletedMessage | null;
};

export type OpenedConversation = {
  /** `<conversation_id>-<contact_id>`. */
  id: string;
  conversation_id: string;
  contact_id: string;
  /** Id of the newest existing message up to which the contact has read, or null. */
  last_read_message_id: string | null;
  /** Unix time at which the contact last opened the conversation. */
  last_opened_at: number;
};

/** The other contact of a direct conversation opened it. `version` counts per conversation and contact. */
export type ReaderEvent = {
  /** Id of the change. The feed and the push contain the same id. */
  id: string;
  /** Unix time in seconds. */
  created_at: number;
  /** Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member. */
  version: number;
  /** Feed that contains the event: the reader's own, or that of one of their groups. */
  feed: string;
  /** Sequence number in `feed`. Gaps occur only where the reader may not see an event. */
  place: number;
  type: 'reader.updated';
  /** In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed. */
  payload: OpenedConversation | null;
};

export type RemovedMember = {
  /** `<group_id>-<contact_id>`. */
  id: string;
  group_id: string;
  contact_id: string;
  deleted: true;
};

export type CreateGroup = {
  /** Name of the group, shown to its members. */
  title: string;
  /** URL of the group's picture. */
  avatar_url?: string | null | undefined;
  /** Contacts to add as members. The caller becomes the owner. */
  members?: string[] | undefined;
};

export type Group = {
  /** Id to use as `group_id` of conversations. */
  id: string;
  title: string;
  avatar_url: string | null;
  created_by: string;
  member_count: number;
  /** Unix time in seconds. */
  created_at: number;
  /** Unix time in seconds. */
  updated_at: number;
};

export type GroupMember = {
  contact_id: string;
  /** Owners may do everything. Admins may change the title and the avatar, delete conversations, and add, change and remove members other than owners. Members may leave. */
  role: 'owner' | 'admin' | 'member';
  /** Unix time in seconds. */
  joined_at: number;
};

export type PutGroupMember = {
  /** If absent, a new member gets the role `member`, and an existing member keeps theirs. */
  role?: 'owner' | 'admin' | 'member' | undefined;
};

export type UpdateGroup = {
  /** Name of the group, shown to its members. */
  title?: string | undefined;
  /** URL of the group's picture. */
  avatar_url?: string | null | undefined;
};

export type Live = {
  /** URL of the WebSocket. */
  url: string;
  /** Value of `host` in the handshake and in each subscription. */
  host: string;
  /** One channel for each of up to 101 feeds of the caller. Near the end of an hour, also one channel per feed for the next hour. */
  channels: ({
    /** Name of the channel to subscribe to. */
    name: string;
    /** Feed of the channel. */
    feed: string;
    /** Group of the feed; null for the feed of the caller. */
    group_id: string | null;
    /** Sequence number to which `cursor` corresponds in this feed; 0 before the first event. */
    place: number;
  })[];
  /** Unix time at which the last channel expires. In the ten minutes before this time, repeat this request and subscribe to the new channels. */
  expires_at: number;
  /** Seconds until `expires_at`, for devices whose clock is wrong. */
  expires_in: number;
  /** Cursor for `starting_after` of `GET /v1/events`, to list events from now on. */
  cursor: string;
  /** False if the caller is in more than 100 groups. Then only 100 of them have a channel: those of the token and the most recently active others. For the rest, read `GET /v1/events` every minute. */
  is_complete: boolean;
};

/** Must be well-formed Unicode. Must be at most 4096 bytes as JSON. */
export type Attachment = {
  /** File name. */
  name?: string | null | undefined;
  url?: string | null | undefined;
  /** Media type, such as `image/jpeg`. */
  type?: string | null | undefined;
  /** Size in bytes. */
  size?: number | null | undefined;
  [name: string]: unknown;
};

export type Message = {
  id: string;
  conversation_id: string;
  contact: Contact;
  message: string;
  reactions: Reactions;
  attachments: Attachment[];
  /** Unix time at which a user other than the sender first read the message. */
  read_at: number | null;
  /** Unix time in seconds. */
  created_at: number;
  /** Unix time in seconds. */
  updated_at: number | null;
  /** Only with `expand[]=reply_to`: id of the quoted message, or null. */
  reply_to_id?: string | null | undefined;
  /** Only with `expand[]=reply_to`: the quoted message as it is now; null if there is none or it was deleted. */
  reply_to?: {
    id: string;
    conversation_id: string;
    contact: Contact;
    message: string;
    reactions: Reactions;
    attachments: Attachment[];
    /** Unix time at which a user other than the sender first read the message. */
    read_at: number | null;
    /** Unix time in seconds. */
    created_at: number;
    /** Unix time in seconds. */
    updated_at: number | null;
  } | null | undefined;
  /** Only with `expand[]=mentions`: ids of the mentioned contacts, as sent. */
  mentions?: string[] | undefined;
};

/** Sets the caller's own reactions: `{"👍": ["ann"]}` adds ann's reaction, and `{"👍": []}` removes it. */
export type ReactionChange = {
  [name: string]: string[];
} | {
  [name: string]: string[];
}[];

export type Reactions = {
  [name: string]: string[];
}[];

export type SendMessage = {
  /** Conversation to which the message is appended. */
  conversation_id: string;
  /** Text of the message. May be empty if the message has attachments. */
  message: string;
  /** Uploaded files, by `id`, and files stored elsewhere, whose additional fields are kept. For an uploaded file, replies contain `id`, `name`, `type`, `size`, `url` and `status`. */
  attachments?: Attachment[] | null | undefined;
  /** Quoted message of the same conversation. */
  reply_to_id?: string | undefined;
  /** Ids of mentioned contacts. The id of a contact who does not participate is stored, but the contact is not notified. */
  mentions?: string[] | undefined;
};

export type UpdateMessage = {
  /** New text. May be empty if the message has attachments after the update. */
  message?: string | undefined;
  /** Replaces all attachments; null removes them. A message without text must keep at least one. */
  attachments?: Attachment[] | null | undefined;
  reactions?: ReactionChange | undefined;
};

export type PersonSettings = {
  /** Whether the lists of readers show the caller. If false, the caller sees no readers either. Default: true. */
  share_read_receipts: boolean;
  /** Who may add the caller to groups: everyone, or only contacts who share a direct conversation or a group with the caller. A block in either direction overrides this setting. Default: `everyone`. */
  accept_groups_from: 'everyone' | 'contacts';
};

export type UpdatePersonSettings = {
  /** Whether the lists of readers show the caller. If false, the caller sees no readers either. Default: true. */
  share_read_receipts?: boolean | undefined;
  /** Who may add the caller to groups: everyone, or only contacts who share a direct conversation or a group with the caller. A block in either direction overrides this setting. Default: `everyone`. */
  accept_groups_from?: 'everyone' | 'contacts' | undefined;
};

export type Reader = {
  contact_id: string;
  /** Id of the newest existing message up to which the contact has read, or null. */
  last_read_message_id: string | null;
  /** Unix time at which the contact last opened the conversation. */
  last_opened_at: number;
};

export type Block = {
  /** The blocked contact. */
  contact_id: string;
  /** Unix time in seconds. */
  created_at: number;
};

export type CreateReport = {
  /** The reported message. */
  message_id: string;
  contact_id?: null | undefined;
  public_id?: null | undefined;
  reason: ReportReason;
  /** Further information for the operators. */
  note?: string | null | undefined;
} | {
  message_id?: null | undefined;
  /** The reported contact, who must share a conversation or a user-created group with the caller. */
  contact_id: string;
  public_id?: null | undefined;
  reason: ReportReason;
  /** Further information for the operators. */
  note?: string | null | undefined;
} | {
  message_id?: null | undefined;
  contact_id?: null | undefined;
  /** The reported business. */
  public_id: string;
  reason: ReportReason;
  /** Further information for the operators. */
  note?: string | null | undefined;
};

export type Report = {
  message_id: string | null;
  contact_id: string | null;
  public_id: string | null;
  reason: ReportReason;
  note: string | null;
  /** Unix time in seconds. */
  created_at: number;
};

/** Reason for the report. */
export type ReportReason = 'spam' | 'harassment' | 'hate' | 'sexual' | 'violence' | 'self_harm' | 'scam' | 'other';

/** If `close` is not after `open`, as in 22:00 to 02:00, the hours end on the next day. */
export type Hours = {
  open: {
    hour: number;
    minute: number;
  };
  /** Must not be after 24:00. */
  close: {
    hour: number;
    minute: number;
  };
};

/** Hours of each day of the week; null if closed. */
export type WorkTime = {
  monday: Hours[] | null;
  tuesday: Hours[] | null;
  wednesday: Hours[] | null;
  thursday: Hours[] | null;
  friday: Hours[] | null;
  saturday: Hours[] | null;
  sunday: Hours[] | null;
};
