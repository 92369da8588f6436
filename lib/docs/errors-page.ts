import { errorCatalog, retryAfterSeconds } from '../../shared/contract/errors.ts';
import { errorCodes } from './error-codes.ts';
import { errorExamples } from './error-examples.ts';

const introduction = `<!-- Written by \`npm run docs\` from shared/contract/errors.ts: change it there. -->
# Errors

Every error has the same shape, whoever makes it:

\`\`\`json
${JSON.stringify(errorExamples.parameter_missing?.value, undefined, 2)}
\`\`\`

Decide by \`code\`: a code never changes its meaning. \`message\` is for people and may. \`type\` is \`invalid_request\` where
the request is at fault (4xx) and \`api_error\` where the service is (5xx). \`param\` names the field or parameter at fault, or
is null. \`request_id\` is also in the \`Request-Id\` header of every reply; tell it when you report a fault.`;

const table = ['| Status | Code | Meaning |', '|---|---|---|']
  .concat(
    errorCodes.map((code) => {
      const { status, meaning } = errorCatalog[code];
      return `| ${status} | [\`${code}\`](#${code}) | ${meaning} |`;
    }),
  )
  .join('\n');

/** The heading is the anchor that a reply's `documentation_url` ends in. */
const sections = errorCodes.map((code) => {
  const { status, meaning, cure } = errorCatalog[code];
  const seconds = retryAfterSeconds[code];
  const retry = seconds === undefined ? '' : ` The reply has \`Retry-After: ${seconds}\`.`;
  return `## ${code}\n\n**${status}** · ${meaning}\n\n${cure}${retry}`;
});

/** docs/errors.md: every code with its status, what it means and what to do. */
export const errorsPage = `${[introduction, table, ...sections].join('\n\n')}\n`;
