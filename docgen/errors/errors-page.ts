import { errorExamples } from '../openapi/responses/error-examples.ts';
import { errorConventions, errorEntries } from './error-entries.ts';

const introduction = `<!-- Written by \`npm run docs\` from shared/contract/errors.ts: change it there. -->
# Errors

Every error has the same shape, whoever makes it:

\`\`\`json
${JSON.stringify(errorExamples.parameter_missing?.value, undefined, 2)}
\`\`\`

${errorConventions}`;

const table = ['| Status | Code | Meaning |', '|---|---|---|']
  .concat(
    errorEntries.map(
      ({ code, statuses, meaning }) =>
        `| ${statuses.join(', ')} | [\`${code}\`](#${code}) | ${meaning} |`,
    ),
  )
  .join('\n');

/** The heading is the anchor that a reply's `documentation_url` ends in. */
const sections = errorEntries.map(
  ({ code, status, also, meaning, cure }) =>
    `## ${code}\n\n**${status}**${also} · ${meaning}\n\n${cure}`,
);

/** docs/errors.md: every code with its status, what it means and what to do. */
export const errorsPage = `${[introduction, table, ...sections].join('\n\n')}\n`;
