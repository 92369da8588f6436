import {
  type ErrorCode,
  errorCatalog,
  errorCodes,
  gatewayStatuses,
  getStatuses,
  retryAfterSeconds,
} from '../../shared/contract/errors.ts';

/** What pages say of an error: texts in which what is code stands between backticks. */
export interface ErrorEntry {
  code: ErrorCode;
  status: number;
  /** All of them. */
  statuses: readonly number[];
  /** Behind the status: which others there are, if any. */
  also: string;
  meaning: string;
  cure: string;
}

export const errorEntries: readonly ErrorEntry[] = errorCodes.map((code) => {
  const { status, meaning, cure } = errorCatalog[code];
  const seconds = retryAfterSeconds[code];
  const retry = seconds === undefined ? '' : ` The reply has \`Retry-After: ${seconds}\`.`;
  const others = Object.keys(gatewayStatuses[code] ?? {});
  const also = others.length > 0 ? `, from the gateway also ${others.join(', ')}` : '';
  return { code, status, statuses: getStatuses(code), also, meaning, cure: `${cure}${retry}` };
});

/** What is true of all of them, after an example. */
export const errorConventions = `Decide by \`code\`: a code never changes its meaning. \`message\` is for people and may. \`type\` is \`invalid_request\` where
the request is at fault (4xx) and \`api_error\` where the service is (5xx). \`param\` names the field, parameter or header at
fault, as code would get at it, such as \`attachments[0].url\` and \`reactions["👍"][0]\`, in a form too; it is null where the
whole request is. \`request_id\` is also in the \`Request-Id\` header of every reply; tell it when you report a fault.`;
