import type {
  Business,
  CamelBusiness,
  Conversation,
  Expansion,
  FlagName,
  Message,
  MessageExpansion,
} from './generated/types.ts';

/** A conversation. If `expand` is an array literal, the fields that it names are not optional. */
export type Expanded<Names extends readonly Expansion[]> = number extends Names['length']
  ? Conversation
  : Conversation & { [Name in Names[number]]-?: Exclude<Conversation[Name], undefined> };

type MessageFields<Name extends MessageExpansion> =
  | Name
  | (Name extends 'reply_to' ? 'reply_to_id' : never);

/** A message. If `expand` is an array literal, the fields that it names are not optional. */
export type ExpandedMessage<Names extends readonly MessageExpansion[]> =
  number extends Names['length']
    ? Message
    : Message & {
        [Name in MessageFields<Names[number]>]-?: Exclude<Message[Name], undefined>;
      };

export type BusinessFormat = 'snake_case' | 'camelCase';

/** A business whose field names are in the given format. */
export type BusinessIn<Format extends BusinessFormat> = Format extends 'camelCase'
  ? CamelBusiness
  : Business;

/** Allows at most one of the two cursors. */
export type OneCursor = { starting_after?: undefined } | { ending_before?: undefined };

/** Prevents a flag from being both requested and excluded. */
export type NotExcluded<Flag extends FlagName> =
  | { [Name in Flag]?: false | undefined }
  | { exclude?: readonly Exclude<FlagName, Flag>[] | undefined };

/** Applies `Omit` to each member of a union. */
export type OmitFromEach<Type, Name extends PropertyKey> = Type extends unknown
  ? Omit<Type, Name>
  : never;
