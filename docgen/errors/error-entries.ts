import {
  type ErrorCode,
  errorCatalog,
  errorCodes,
  gatewayStatuses,
  retryAfterSeconds,
} from '../../shared/contract/errors.ts';

/** The texts about an error; code is between backticks. */
export interface ErrorEntry {
  code: ErrorCode;
  status: number;
  /** Text after the status: the other statuses, if any. */
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
  return { code, status, also, meaning, cure: `${cure}${retry}` };
});

/** Describes the common format of errors, after an example. */
export const errorConventions = `Branch on \`code\`: its meaning never changes. \`message\` is for people and may change. \`type\` is \`invalid_request\` if
the request is wrong (4xx), and \`api_error\` if the service failed (5xx). \`param\` is the path of the wrong field, parameter or
header, such as \`attachments[0].url\` and \`reactions["👍"][0]\`, also for forms. It is null if the error concerns the whole
request. \`request_id\` is also in the \`Request-Id\` header of every reply; include it when you report a problem.`;
