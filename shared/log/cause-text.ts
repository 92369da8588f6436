/** A line of the log is cut into pieces when it is too long, and a piece is no JSON. */
const maxCharacters = 2000;

/**
 * Why something failed, for the log: what an error was made from tells more than the error. Quoted text is left out, as
 * parsers and validators quote what they did not like, and that may be what people wrote to each other.
 */
export function causeText(error: unknown): string {
  const cause = (error instanceof Error && error.cause) || error;
  const text = cause instanceof Error ? errorText(cause) : unquoted(String(cause));
  return text.slice(0, maxCharacters);
}

/** The stack begins with the message as it was: only its frames are taken from there. */
const errorText = ({ name, message, stack = '' }: Error): string =>
  [`${name}: ${unquoted(message)}`, ...stack.split('\n').filter(isFrame)].join('\n');

const isFrame = (line: string): boolean => /^ {4}at .+(:\d+|native|<anonymous>)\)?$/.test(line);

/** Quotes within a quotation are not told from its end. */
const unquoted = (message: string): string => message.replace(/".*"/s, '"…"');
