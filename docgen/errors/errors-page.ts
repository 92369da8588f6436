import { errorExamples } from '../openapi/responses/error-examples.ts';
import { errorConventions, errorEntries } from './error-entries.ts';

const introduction = `<!-- Written by \`npm run docs\` from shared/contract/errors.ts: change it there. -->
# Errors

All errors have the same format:

\`\`\`json
${JSON.stringify(errorExamples.parameter_missing?.value, undefined, 2)}
\`\`\`

${errorConventions}`;

/** Each heading is the anchor of a `documentation_url`. */
const sections = errorEntries.map(
  ({ code, status, otherStatuses, meaning, cure }) =>
    `## ${code}\n\n**${status}**${otherStatuses} · ${meaning}\n\n${cure}`,
);

/** The text of docs/errors.md. */
export const errorsPage = `${[introduction, ...sections].join('\n\n')}\n`;
