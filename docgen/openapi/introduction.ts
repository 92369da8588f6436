import { documentedBaseUrl } from './documented-base-url.ts';
import type { OpenApiDocument } from './openapi-types.ts';

const description = `
Conversations between people and groups, the messages in them, and business listings.

- **The address** is that of \`npm start\`; for a deployed stage, give your client the one that its deployment prints.
- **Bodies** are JSON, or a form that means the same; replies are JSON. Fields that an operation does not know are ignored.
- **Times** are Unix seconds. **Ids** are opaque: do not build or take apart any.
- **Lists** come in pages of \`limit\` items. \`has_more\` is exact; follow the \`Link\` header, or give the id of an item as
  \`starting_after\` or \`ending_before\`.
- **Errors** have one shape. Decide by \`code\`, show or log \`message\`, and report \`request_id\`; \`documentation_url\` leads
  to what the code means and what to do.
- **Not yours or not there**: both are 404, with the same body.
`.trim();

/** What a document begins with. */
export const introduction = (
  version: string,
): Pick<OpenApiDocument, 'info' | 'servers' | 'security'> => ({
  info: {
    title: 'Messaging service',
    version,
    description,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
  // Spelled out, as a variable in its place is more than some generators understand; of the
  // description others make a name.
  servers: [{ url: documentedBaseUrl, description: 'The local cloud' }],
  security: [{ token: [] }],
});

/** What the operations of a resource are about. */
export const resourceDescriptions: Record<string, string> = {
  conversations:
    'What people and groups talk in. Shared by its participants; pins, mutes and archives are personal.',
  messages: 'What is said in a conversation.',
  contacts: 'Who the others in a conversation are, as their tokens say.',
  events: 'What has happened, for whoever was away or wants to stay complete.',
  live: 'Where to listen for what happens.',
  business: 'Listings of businesses, the same for everybody.',
};
