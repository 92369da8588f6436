// Written from the contract by `npm run docs`.

/** A listing in the snake_case field set, which is given without `format` too. It has a `public_id`, and the other set none. */
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
};

/** A listing in the camelCase field set, which is given with `format=camelCase`. It has a `publicId`, and the other set none. */
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
  /** Must be a local date and time without zone, such as 2026-03-01T09:30:00. */
  date: string | null;
  version: string | null;
  authorId: string | null;
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
  /** Unix time in seconds. */
  last_opened_at: number | null;
  /** Unix time in seconds. */
  created_at: number;
  /** Unix time in seconds. */
  archived_at: number | null;
  /** Only with `expand[]=contact`: the other contact, null where there is none. */
  contact?: Contact | null;
  /** Only with `expand[]=last_message`: the newest one, null where there is none. */
  last_message?: Message | null;
  /** Only with `expand[]=unread_count`: others’ messages that the caller has not been given; 100 is 100 or more. */
  unread_count?: number;
};

export type CreateConversation = {
  contact_id: string;
  group_id?: string | null;
  /** The one direct conversation with the contact: that which there is (200), or a new one (201). Not together with `group_id`. */
  distinct?: boolean;
  /** What the conversation brings along; repeat it for each. Marks nothing. */
  expand?: Expansion[];
} | {
  contact_id?: string | null;
  group_id: string;
  /** The one direct conversation with the contact: that which there is (200), or a new one (201). Not together with `group_id`. */
  distinct?: boolean;
  /** What the conversation brings along; repeat it for each. Marks nothing. */
  expand?: Expansion[];
};

export type UpdateConversation = {
  pinned_message_id?: string | null;
  is_pinned?: boolean;
  is_muted?: boolean;
  /** Unix time in seconds. */
  archived_at?: number | null;
  /** The caller has read everything up to this message, as if it had been listed: for another device, or what came by another way. It never goes back. */
  last_read_message_id?: string;
  /** What the conversation brings along; repeat it for each. Marks nothing. */
  expand?: Expansion[];
};

export type Deleted = {
  id: string;
  deleted: true;
};

/** Why the request failed: what a program decides by. A code never changes its meaning; new ones may come. */
export type ErrorCode = 'parameter_missing' | 'parameter_invalid' | 'body_malformed' | 'too_many_conversations' | 'request_invalid' | 'token_missing' | 'token_invalid' | 'token_expired' | 'not_allowed' | 'too_many_groups' | 'not_found' | 'request_in_progress' | 'cursor_expired' | 'precondition_failed' | 'body_too_large' | 'content_type_unsupported' | 'idempotency_key_reused' | 'reactions_full' | 'too_many_requests' | 'internal_error' | 'unavailable' | 'timeout';

export type ErrorReply = {
  type: 'invalid_request' | 'api_error';
  code: ErrorCode;
  message: string;
  param: string | null;
  request_id: string;
  documentation_url: string;
};

export type FlagName = 'muted' | 'archived' | 'pinned';

export type Expansion = 'contact' | 'last_message' | 'unread_count';

export type DeletedMessage = {
  id: string;
  conversation_id: string;
  deleted: true;
};

export type Event = {
  /** Of this change, wherever it is told: in the feed and in a push. */
  id: string;
  /** What happened. */
  type: 'message.created' | 'message.updated' | 'message.deleted' | 'conversation.created' | 'conversation.updated' | 'conversation.deleted';
  /** Unix time in seconds. */
  created_at: number;
  /** Of `payload`: it grows with each change. A client applies what is higher than it knows, and that a thing is deleted always. */
  version: number;
  /** Which feed tells it: that of the reader alone, or that of one of their groups. */
  feed: string;
  /** Its place in that feed. Places have no gaps, but where something is not for the reader to see. */
  place: number;
  /** The whole thing as the reader sees it, or that it is deleted. Null only in a push, of what the reader finds in the feed. */
  payload: Message | Conversation | DeletedMessage | Deleted | null;
};

export type Live = {
  /** Address of the WebSocket. */
  url: string;
  /** What the handshake and each subscription name as host. */
  host: string;
  /** One for each feed of the caller, and near the end of an hour another one for the next. */
  channels: {
    /** What to subscribe to. */
    name: string;
    /** The feed that it tells of. */
    feed: string;
    /** The place in that feed that `cursor` is behind; 0 before the first. */
    place: number;
  }[];
  /** When nothing more comes on the last of the channels. Ask again, and subscribe to what is new, within the ten minutes before. */
  expires_at: number;
  /** For `starting_after` of `GET /v1/events`: what happens from now on. */
  cursor: string;
};

/** Must be well-formed Unicode. Must be at most 4096 bytes as JSON. */
export type Attachment = {
  /** Must have something visible in it, and no control characters, line breaks or changes of the writing direction. */
  name?: string | null;
  /** Must be a URL as RFC 3986 has it, other characters percent-encoded. */
  url?: string | null;
  /** Must have something visible in it, and no control characters, line breaks or changes of the writing direction. */
  type?: string | null;
  size?: number | null;
  [name: string]: unknown;
};

export type Attachments = Attachment[];

export type Message = {
  id: string;
  conversation_id: string;
  contact: Contact;
  message: string;
  reactions: Reactions;
  attachments: Attachment[];
  /** Unix time in seconds. */
  read_at: number | null;
  /** Unix time in seconds. */
  created_at: number;
  /** Unix time in seconds. */
  updated_at: number | null;
};

/** Must have at most 100 names. */
export type ReactionChange = {
  [name: string]: string[];
} | {
  [name: string]: string[];
}[];

export type Reactions = {
  [name: string]: string[];
}[];

export type SendMessage = {
  conversation_id: string;
  /** Must be well-formed Unicode. Must not be blank. */
  message: string;
  attachments?: Attachments | null;
};

export type UpdateMessage = {
  /** Must be well-formed Unicode. Must not be blank. */
  message?: string;
  attachments?: Attachments | null;
  reactions?: ReactionChange;
};

/** Hours that end before they begin, such as 22:00 to 02:00, end on the next day. */
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

/** The hours of each day of the week; null on a day when it is closed. */
export type WorkTime = {
  monday: Hours[] | null;
  tuesday: Hours[] | null;
  wednesday: Hours[] | null;
  thursday: Hours[] | null;
  friday: Hours[] | null;
  saturday: Hours[] | null;
  sunday: Hours[] | null;
};

/** What `messages.list` takes. */
export type ListMessagesParams = {
  /** The conversation whose messages are listed; without it, all. */
  conversation_id?: string | undefined;
  /** Gives the same, and marks nothing as read or opened. */
  peek?: boolean | undefined;
  /** Items a page; fewer, but one at least, where the list ends, or where so many would be too much to read or to hold. `has_more` tells. */
  limit?: number | undefined;
  /** Id of an item: continue after it, in the order of the list. */
  starting_after?: string | undefined;
  /** Id of an item: the page just before it, in the order of the list. */
  ending_before?: string | undefined;
};

/** What `messages.send` takes. */
export type SendMessageParams = SendMessage;

/** What `messages.retrieve` takes. */
export type RetrieveMessageParams = {
  /** The id of the message. */
  message_id: string;
  /** Gives the same, and marks nothing as read or opened. */
  peek?: boolean | undefined;
};

/** What `messages.update` takes. */
export type UpdateMessageParams = {
  /** The id of the message. */
  message_id: string;
} & UpdateMessage;

/** What `messages.delete` takes. */
export type DeleteMessageParams = {
  /** The id of the message. */
  message_id: string;
};

/** What `conversations.list` takes. */
export type ListConversationsParams = {
  /** Only those the caller has muted. */
  muted?: boolean | undefined;
  /** Only those the caller has archived. */
  archived?: boolean | undefined;
  /** Only those the caller has pinned. */
  pinned?: boolean | undefined;
  /** Only those of this group. */
  group_id?: string | undefined;
  /** Only the direct ones with this contact; with `group_id`, those of the group whose `contact_id` it is. */
  contact_id?: string | undefined;
  /** Leaves out what the caller has muted, archived or pinned; repeat it for each. Not together with the parameter of the same name. */
  exclude?: FlagName[] | undefined;
  /** What the conversation brings along; repeat it for each. Marks nothing. */
  expand?: Expansion[] | undefined;
  /** Items a page; fewer, but one at least, where the list ends, or where so many would be too much to read or to hold. `has_more` tells. */
  limit?: number | undefined;
  /** Id of an item: continue after it, in the order of the list. */
  starting_after?: string | undefined;
  /** Id of an item: the page just before it, in the order of the list. */
  ending_before?: string | undefined;
};

/** What `conversations.create` takes. */
export type CreateConversationParams = CreateConversation;

/** What `conversations.retrieve` takes. */
export type RetrieveConversationParams = {
  /** The id of the conversation. */
  conversation_id: string;
  /** What the conversation brings along; repeat it for each. Marks nothing. */
  expand?: Expansion[] | undefined;
};

/** What `conversations.update` takes. */
export type UpdateConversationParams = {
  /** The id of the conversation. */
  conversation_id: string;
} & UpdateConversation;

/** What `conversations.delete` takes. */
export type DeleteConversationParams = {
  /** The id of the conversation. */
  conversation_id: string;
};

/** What `contacts.retrieve` takes. */
export type RetrieveContactParams = {
  /** The id of the contact. */
  contact_id: string;
};

/** What `business.list` takes. */
export type ListBusinessesParams = {
  /** Only those whose `status` is `active`. */
  active?: boolean | undefined;
  /** Which of the two field sets the reply has. */
  format?: 'snake_case' | 'camelCase' | undefined;
  /** Items a page; fewer, but one at least, where the list ends, or where so many would be too much to read or to hold. `has_more` tells. */
  limit?: number | undefined;
  /** Id of an item: continue after it, in the order of the list. */
  starting_after?: string | undefined;
  /** Id of an item: the page just before it, in the order of the list. */
  ending_before?: string | undefined;
};

/** What `events.list` takes. */
export type ListEventsParams = {
  /** Items a page; fewer, but one at least, where the list ends, or where so many would be too much to read or to hold. `has_more` tells. */
  limit?: number | undefined;
  /** A cursor, from a `next` link or from `GET /v1/live`: continue after it. Without it, from the oldest event that is kept. */
  starting_after?: string | undefined;
};

/** What `live.retrieve` takes. */
export type RetrieveLiveParams = Record<never, never>;
