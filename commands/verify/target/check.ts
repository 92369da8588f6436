import { isError, toErrorMessage } from '../../../lib/problem.ts';

export interface Check {
  name: string;
  expected: string;
  /** Remedy to print if the check fails. */
  cure?: string;
  /**
   * Returns the observation. Throws a Problem if it differs from `expected`, and NotCheckable if
   * the check is not possible.
   */
  run(): Promise<string>;
}

/**
 * Checks of effects that appear late. `verify` sends the requests that cause the effects before
 * most other checks.
 */
export interface BackgroundChecks {
  checks: readonly Check[];
  /** Resolves when all requests that cause the effects have succeeded or failed. */
  finished: Promise<unknown>;
}

/** Thrown if a check is not possible for the target. The error's message states the reason. */
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
    return toFinding(isNotCheckable ? 'not checkable' : 'failed', toErrorMessage(error));
  }
}

/** Reports whether an AWS service denied permission. Error names differ between services. */
export const isDenied = (error: unknown): boolean =>
  isError(error) &&
  '$fault' in error &&
  /^(AccessDenied|AuthorizationError|Unauthorized)/.test(error.name);

/** Throws NotCheckable if the value is undefined. */
export function requireValue<Value>(value: Value | undefined, reason: string): Value {
  if (value === undefined) throw new NotCheckable(reason);
  return value;
}
