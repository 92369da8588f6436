/** One line of the log: plain facts, and never a token, a message's text or a phone number. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  [fact: string]: string | number | boolean;
}

/** Lambda's JSON log format keeps the object, adds the time, and drops what is below the stage's level. */
export const log = ({ level, ...facts }: LogLine): void => console[level](facts);

/** Why something failed, for the log: what an error was made from tells more than the error. */
export function causeText(error: unknown): string {
  const cause = (error instanceof Error && error.cause) || error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
