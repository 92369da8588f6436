import {
  type ErrorCode,
  errorCatalog,
  errorCodes,
  gatewayStatuses,
  retryAfterSeconds,
} from '../../shared/contract/errors.ts';

/** Markdown texts that describe an error. */
export interface ErrorEntry {
  code: ErrorCode;
  status: number;
  /** Further statuses that only the gateway returns, as text; empty if there are none. */
  otherStatuses: string;
  meaning: string;
  cure: string;
}

export const errorEntries: readonly ErrorEntry[] = errorCodes.map((code) => {
  const { status, meaning, cure } = errorCatalog[code];
  const seconds = retryAfterSeconds[code];
  const retry = seconds === undefined ? '' : ` The reply has \`Retry-After: ${seconds}\`.`;
  const others = Object.keys(gatewayStatuses[code] ?? {});
  const otherStatuses = others.length > 0 ? `, or ${others.join(', ')} from the gateway` : '';
  return { code, status, otherStatuses, meaning, cure: `${cure}${retry}` };
});

/** Describes the common format of errors. docs/errors.md shows it after an example. */
export const errorConventions = `Branch on \`code\`: its meaning never changes. \`message\` is for people and may change. \`type\` is \`invalid_request\`
for a 4xx status, and \`api_error\` for 5xx. \`param\` is the path of the invalid field, parameter or header, such as
\`attachments[0].url\` or \`reactions["👍"][0]\`, even for forms. \`param\` is null if the error concerns the whole request. When you
report a problem, include \`request_id\`, which is also in every reply's \`Request-Id\` header.`;
