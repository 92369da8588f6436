/** Error that the user of a command can fix. Commands print only its message. */
export class Problem extends Error {}

/**
 * Reports whether a value is an error. Unlike `instanceof`, also recognizes errors of other realms
 * and threads.
 */
export const isError = (thrown: unknown): thrown is Error =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'name' in thrown &&
  'message' in thrown &&
  typeof thrown.message === 'string';

/** Returns the message of a thrown value. */
export const toErrorMessage = (thrown: unknown): string =>
  isError(thrown) ? thrown.message : String(thrown);

/** Returns the code of Node's own errors, such as EADDRINUSE. */
export const getErrorCode = (thrown: unknown): unknown =>
  isError(thrown) && 'code' in thrown ? thrown.code : undefined;
