/** Returns the cause if it is an error, otherwise an error with the cause as its message. */
export const toError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(String(cause));
