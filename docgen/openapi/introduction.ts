import { documentedBaseUrl } from './documented-base-url.ts';
import type { OpenApiDocument } from './openapi-types.ts';

const description = `
Conversations between users and groups, their messages, and business listings.

- **The URL** is for \`npm start\`. For a deployed stage, use the URL that its deployment prints.
- **Bodies** are JSON, or an equivalent form; replies are JSON. Unknown fields are ignored.
- **Times** are Unix seconds. **Ids** are opaque: do not construct or parse them.
- **Lists** come in pages of at most \`limit\` items. If \`has_more\` is true, follow the \`Link\` header. In all lists except events, you
  can instead send the id of an item as \`starting_after\` or \`ending_before\`.
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
