import type {
  Business,
  CamelBusiness,
  Conversation,
  Expansion,
  FlagName,
  Message,
  MessageExpansion,
} from './generated/types.ts';

/** A conversation whose expanded fields are present, if the request names them literally. */
export type Expanded<Names extends readonly Expansion[]> = number extends Names['length']
  ? Conversation
  : Conversation & { [Name in Names[number]]-?: Exclude<Conversation[Name], undefined> };

type MessageFields<Name extends MessageExpansion> =
  | Name
  | (Name extends 'reply_to' ? 'reply_to_id' : never);

/** A message whose expanded fields are present, if the request names them literally. */
export type ExpandedMessage<Names extends readonly MessageExpansion[]> =
  number extends Names['length']
    ? Message
    : Message & {
        [Name in MessageFields<Names[number]>]-?: Exclude<Message[Name], undefined>;
      };

export type BusinessFormat = 'snake_case' | 'camelCase';

/** A listing in the field set of the format. */
export type BusinessIn<Format extends BusinessFormat> = Format extends 'camelCase'
  ? CamelBusiness
  : Business;

/** A page is after one item or before another, not both. */
export type OneCursor = { starting_after?: undefined } | { ending_before?: undefined };

/** A flag is either requested or excluded. */
export type NotExcluded<Flag extends FlagName> =
  | { [Name in Flag]?: false | undefined }
  | { exclude?: readonly Exclude<FlagName, Flag>[] | undefined };

/** `Omit` of each member of a union. */
export type OmitFromEach<Type, Name extends PropertyKey> = Type extends unknown
  ? Omit<Type, Name>
  : never;
