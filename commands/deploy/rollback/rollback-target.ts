import { Problem } from '../../../lib/problem.ts';
import { UsageProblem } from '../../cli/usage-problem.ts';
import { parsePointInTime } from '../../recovery/point-in-time.ts';

/**
 * The target of a rollback: the state before the last deployment or before a point in time, the
 * versions in the stack, or one version of one function.
 */
export type RollbackTarget =
  | { to: 'previous' | 'deployed' }
  | { to: 'time'; time: Date }
  | { to: 'version'; functionId: string; version: number };

/**
 * Parses the values of `--to` and `--function`. If a value is invalid, throws a UsageProblem that
 * states the valid values.
 */
export function parseRollbackTarget(to: string, functionId: string | undefined): RollbackTarget {
  if (functionId !== undefined) {
    if (/^[1-9]\d*$/.test(to)) return { to: 'version', functionId, version: Number(to) };
    throw new UsageProblem(`With --function, give one of its versions: --to 12, not '${to}'.`);
  }
  if (to === 'previous' || to === 'deployed') return { to };
  if (/^\d+$/.test(to)) {
    throw new UsageProblem('A version number requires a function: add --function NAME.');
  }
  const time = to === 'latest' ? undefined : parseTime(to);
  if (time === undefined) {
    throw new UsageProblem(
      `'${to}' is not valid: specify previous, deployed, or a time such as 2026-11-21T10:00:00Z.`,
    );
  }
  return { to: 'time', time };
}

function parseTime(text: string): Date | undefined {
  try {
    const time = parsePointInTime(text);
    return time === 'latest' ? undefined : time;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
