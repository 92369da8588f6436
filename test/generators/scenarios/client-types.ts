/** Type test: compiles only if the client's types equal the types of openapi-typescript. */
import type * as client from '../../../client/dist/index.js';
import type { components, operations } from '../.local/openapi-typescript.ts';

type Schemas = components['schemas'];
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

export const replies: [
  Same<client.Message, Schemas['Message']>,
  Same<client.Conversation, Schemas['Conversation']>,
  Same<client.Contact, Schemas['Contact']>,
  Same<client.Business, Schemas['Business']>,
  Same<client.CamelBusiness, Schemas['CamelBusiness']>,
  Same<client.Event, Schemas['Event']>,
  Same<client.Live, Schemas['Live']>,
  Same<client.Deleted, Schemas['Deleted']>,
  Same<client.ErrorCode, Schemas['ErrorCode']>,
] = [true, true, true, true, true, true, true, true, true];

export const bodies: [
  Same<Omit<client.SendMessageParams, 'expand'>, Schemas['SendMessage']>,
  Same<client.CreateConversationParams<client.Expansion[]>, Schemas['CreateConversation']>,
  Same<Omit<client.UpdateMessageParams, 'message_id' | 'expand'>, Schemas['UpdateMessage']>,
  Same<
    Omit<client.UpdateConversationParams<client.Expansion[]>, 'conversation_id'>,
    Schemas['UpdateConversation']
  >,
  Same<
    Omit<client.ListMessagesParams, never>,
    NonNullable<operations['listMessages']['parameters']['query']>
  >,
] = [true, true, true, true, true];
