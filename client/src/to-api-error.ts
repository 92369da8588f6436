import { ApiError } from './api-error.ts';
import type { Reply } from './fetch-attempt.ts';
import { errorClasses } from './generated/errors.ts';

const classes = new Map<string, new (...given: never) => ApiError>(Object.entries(errorClasses));

const isText = (value: unknown): value is string => typeof value === 'string';
const textOr = <Other>(value: unknown, other: Other) => (isText(value) ? value : other);

/** What a reply that is no success is thrown as. */
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
    const message = `Something that is not the API has answered with the status ${status}.`;
    return new ApiError('unexpected_reply', message, details);
  }
  const message = textOr(body.message, body.code);
  return Reflect.construct(classes.get(body.code) ?? ApiError, [body.code, message, details]);
}

function parseFields(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/** Seconds; the header may also be a time. */
function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
