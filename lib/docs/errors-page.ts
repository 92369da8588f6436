import {
  errorCatalog,
  errorCodes,
  gatewayStatuses,
  retryAfterSeconds,
  statusesOf,
} from '../../shared/contract/errors.ts';
import { errorExamples } from './error-examples.ts';

const introduction = `<!-- Written by \`npm run docs\` from shared/contract/errors.ts: change it there. -->
# Errors

Every error has the same shape, whoever makes it:

\`\`\`json
${JSON.stringify(errorExamples.parameter_missing?.value, undefined, 2)}
\`\`\`

Decide by \`code\`: a code never changes its meaning. \`message\` is for people and may. \`type\` is \`invalid_request\` where
the request is at fault (4xx) and \`api_error\` where the service is (5xx). \`param\` names the field, parameter or header at
fault, as code would get at it, such as \`attachments[0].url\` and \`reactions["👍"][0]\`, in a form too; it is null where the
whole request is. \`request_id\` is also in the \`Request-Id\` header of every reply; tell it when you report a fault.`;

const table = ['| Status | Code | Meaning |', '|---|---|---|']
  .concat(
    errorCodes.map((code) => {
      const { meaning } = errorCatalog[code];
      return `| ${statusesOf(code).join(', ')} | [\`${code}\`](#${code}) | ${meaning} |`;
    }),
  )
  .join('\n');

/** The heading is the anchor that a reply's `documentation_url` ends in. */
const sections = errorCodes.map((code) => {
  const { status, meaning, cure } = errorCatalog[code];
  const seconds = retryAfterSeconds[code];
  const retry = seconds === undefined ? '' : ` The reply has \`Retry-After: ${seconds}\`.`;
  const others = Object.keys(gatewayStatuses[code] ?? {});
  const also = others.length > 0 ? `, from the gateway also ${others.join(', ')}` : '';
  return `## ${code}\n\n**${status}**${also} · ${meaning}\n\n${cure}${retry}`;
});

/** docs/errors.md: every code with its status, what it means and what to do. */
export const errorsPage = `${[introduction, table, ...sections].join('\n\n')}\n`;
