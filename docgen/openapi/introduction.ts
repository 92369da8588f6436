import type { operations } from '../../shared/contract/operations.ts';
import { documentedBaseUrl } from './documented-base-url.ts';
import type { OpenApiDocument } from './openapi-types.ts';

const description = `
Conversations between users and groups, their messages, and business listings.

- **The URL** is for \`npm start\`. For a deployed stage, use the URL that its deployment prints.
- **Bodies** are JSON, or an equivalent form; replies are JSON. Unknown fields are ignored.
- **Times** are Unix seconds. **Ids** are opaque: do not construct or parse them.
- **Lists** come in pages of \`limit\` items. \`has_more\` is exact; follow the \`Link\` header, or give the id of an item as
  \`starting_after\` or \`ending_before\`.
- **Errors** have a common format. Branch on \`code\`, show or log \`message\`, and include \`request_id\` in reports. \`documentation_url\`
  links to the meaning of the code and the remedy.
- **Missing and inaccessible resources** both return 404, with the same body.
`.trim();

export const introduction = (
  version: string,
): Pick<OpenApiDocument, 'info' | 'servers' | 'security'> => ({
  info: {
    title: 'Messaging service',
    version,
    description,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
  // The URL is literal, because some generators do not support server variables. The description is
  // short, because other generators derive a name from it.
  servers: [{ url: documentedBaseUrl, description: 'The local cloud' }],
  security: [{ token: [] }],
});

type ResourceOf<Id> = Id extends `${infer Resource}/${string}` ? Resource : never;

export const resourceDescriptions: Record<ResourceOf<(typeof operations)[number]['id']>, string> = {
  conversations:
    'Conversations of users and groups. Shared by their participants; pins, mutes and archives are personal.',
  messages: 'The messages of a conversation.',
  attachments:
    'Files that users upload for a message. Each is removed with its message, or after a day without one.',
  readers: 'Who has opened a conversation, and up to which message.',
  groups: 'Groups that users create. Their members share conversations.',
  members: 'Members of a group and their roles.',
  blocks: 'Contacts whom the caller has blocked.',
  settings: 'Settings of the caller for all conversations.',
  contacts: 'The profiles of the other participants, from their tokens.',
  reports: 'Reports of messages, contacts and businesses, for the operators.',
  events: 'The events of a feed, to catch up after being offline or to detect gaps.',
  live: 'Where to subscribe to events.',
  business: 'Business listings, the same for all callers.',
};
