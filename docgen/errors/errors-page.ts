import { errorExamples } from '../openapi/responses/error-examples.ts';
import { errorConventions, errorEntries } from './error-entries.ts';

const introduction = `<!-- Written by \`npm run docs\` from shared/contract/errors.ts: change it there. -->
# Errors

All errors have the same format:

\`\`\`json
${JSON.stringify(errorExamples.parameter_missing?.value, undefined, 2)}
\`\`\`

${errorConventions}`;

/** The heading provides the anchor of a reply's `documentation_url`. */
const sections = errorEntries.map(
  ({ code, status, also, meaning, cure }) =>
    `## ${code}\n\n**${status}**${also} · ${meaning}\n\n${cure}`,
);

/** docs/errors.md: every code with its status, meaning and remedy. */
export const errorsPage = `${[introduction, ...sections].join('\n\n')}\n`;
