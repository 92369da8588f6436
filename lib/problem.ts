/** Something the person at the keyboard can put right: shown as its message alone, without a stack. */
export class Problem extends Error {}

/** Also for errors of another realm or thread, of which `instanceof` says no. */
export const isError = (thrown: unknown): thrown is Error =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'name' in thrown &&
  'message' in thrown &&
  typeof thrown.message === 'string';

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  isError(thrown) ? thrown.message : String(thrown);

/** The code that Node's own errors have, such as EADDRINUSE. */
export const codeOf = (thrown: unknown): unknown =>
  isError(thrown) && 'code' in thrown ? thrown.code : undefined;
