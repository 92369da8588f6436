/**
 * Maximum length of a cause in characters. A longer log line would be split into parts that are not
 * JSON.
 */
const maxCharacters = 2000;

/** Returns the cause of a failure for the log. Removes quoted text, which may be from a message. */
export function describeCause(error: unknown): string {
  const cause = (error instanceof Error && error.cause) || error;
  const text = cause instanceof Error ? formatError(cause) : redactQuotes(String(cause));
  return text.slice(0, maxCharacters);
}

/**
 * Formats an error. Keeps only the frames of the error's stack, because the other lines repeat the
 * message without redaction.
 */
const formatError = ({ name, message, stack = '' }: Error): string =>
  [`${name}: ${redactQuotes(message)}`, ...stack.split('\n').filter(isFrame)].join('\n');

const isFrame = (line: string): boolean => /^ {4}at .+(:\d+|native|<anonymous>)\)?$/.test(line);

/** Removes text from the first to the last quotation mark, because quotations may be nested. */
const redactQuotes = (message: string): string => message.replace(/".*"/s, '"…"');
