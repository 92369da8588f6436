import { ApiError } from '../api-error.ts';
import type { Reply } from './fetch-attempt.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const textOr = <Other>(value: unknown, other: Other) => (isText(value) ? value : other);

/** Returns the error in a reply; an `unexpected_reply` error if the reply has no error code. */
export function toApiError({ status, headers, text }: Reply): ApiError {
  const body = parseFields(text);
  const wait = parseRetryAfter(headers.get('Retry-After'));
  const details = {
    status,
    param: textOr(body.param, null),
    requestId: textOr(body.request_id, headers.get('Request-Id')),
    documentationUrl: textOr(body.documentation_url, null),
    retryAfter: wait,
  };
  if (!isText(body.code)) {
    const message = `A proxy or another server replied with status ${status}.`;
    return new ApiError('unexpected_reply', message, details);
  }
  const message = textOr(body.message, body.code);
  return new ApiError(body.code, message, details);
}

function parseFields(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/**
 * Returns the seconds in a `Retry-After` header; null for a date, because device clocks may be
 * wrong.
 */
function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
