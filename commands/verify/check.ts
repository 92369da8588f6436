import { isError, messageOf } from '../../lib/problem.ts';

/** Something that is true of a stage that works. */
export interface Check {
  name: string;
  /** What there should be to see. */
  expected: string;
  /** What to do when it is otherwise. */
  cure?: string;
  /** Gives what was seen, if it is what was expected. Else throws Differs, or NotCheckable. */
  look(): Promise<string>;
}

/** Checks of something that takes its time, and has been begun. */
export interface Begun {
  checks: readonly Check[];
  /** Settles when they make nothing more. */
  done: Promise<unknown>;
}

/** What was seen is not what was expected. */
export class Differs extends Error {}

/** It cannot be seen here; the message is the reason. */
export class NotCheckable extends Error {}

export interface Finding {
  check: string;
  state: 'ok' | 'failed' | 'not checkable';
  expected: string;
  /** Or why it cannot be seen here. */
  seen: string;
  cure?: string;
}

export async function lookAt({ name, expected, cure, look }: Check): Promise<Finding> {
  const found = (state: Finding['state'], seen: string): Finding => ({
    check: name,
    state,
    expected,
    seen,
    ...(state === 'failed' && cure !== undefined && { cure }),
  });
  try {
    return found('ok', await look());
  } catch (error) {
    const isOurs = error instanceof NotCheckable || isDenied(error);
    return found(isOurs ? 'not checkable' : 'failed', messageOf(error));
  }
}

/** AWS does not let whoever looks look: the services call that by several names. */
export const isDenied = (error: unknown): boolean =>
  isError(error) &&
  '$fault' in error &&
  /^(AccessDenied|AuthorizationError|Unauthorized)/.test(error.name);

/** The value, for a check that makes no sense without it. */
export function needed<Value>(value: Value | undefined, reason: string): Value {
  if (value === undefined) throw new NotCheckable(reason);
  return value;
}
