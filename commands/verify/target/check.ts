import { isError, messageOf } from '../../../lib/problem.ts';

/** A check that a working stage passes. */
export interface Check {
  name: string;
  /** The expected observation. */
  expected: string;
  /** The remedy, printed if the observation differs. */
  cure?: string;
  /**
   * Returns the observation. Throws a Problem if it differs, and NotCheckable if the check is not
   * possible.
   */
  run(): Promise<string>;
}

/**
 * Checks for effects that appear only after minutes. The requests that cause the effects are sent
 * early.
 */
export interface BackgroundChecks {
  checks: readonly Check[];
  /** Resolves when all requests sent early have succeeded or failed. */
  finished: Promise<unknown>;
}

/** Thrown if a check is not possible for the target. The message is the reason. */
export class NotCheckable extends Error {}

export interface Finding {
  check: string;
  state: 'ok' | 'failed' | 'not checkable';
  expected: string;
  /** The observation, or the reason why the check is not possible. */
  seen: string;
  cure?: string;
}

export async function runCheck({ name, expected, cure, run }: Check): Promise<Finding> {
  const toFinding = (state: Finding['state'], seen: string): Finding => ({
    check: name,
    state,
    expected,
    seen,
    ...(state === 'failed' && cure !== undefined && { cure }),
  });
  try {
    return toFinding('ok', await run());
  } catch (error) {
    const isNotCheckable = error instanceof NotCheckable || isDenied(error);
    return toFinding(isNotCheckable ? 'not checkable' : 'failed', messageOf(error));
  }
}

/**
 * Reports whether an AWS service has denied permission. The error names differ between services.
 */
export const isDenied = (error: unknown): boolean =>
  isError(error) &&
  '$fault' in error &&
  /^(AccessDenied|AuthorizationError|Unauthorized)/.test(error.name);

/** Returns the value. Throws NotCheckable if it is undefined. */
export function requireValue<Value>(value: Value | undefined, reason: string): Value {
  if (value === undefined) throw new NotCheckable(reason);
  return value;
}
