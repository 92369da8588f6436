import { messageOf } from '../../lib/problem.ts';

/**
 * In a line what a disk refuses, by whichever of our programs it was met; undefined of other errors. `option` is the one by
 * which another place can be chosen.
 */
export function diskComplaint(error: unknown, option?: string): string | undefined {
  const text = messageOf(error);
  const [, code, path] =
    /\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM): (?:[^\n]*'([^'\n]+)')?/.exec(text) ?? [];
  if (code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/.test(text)) {
    const instead = option === undefined ? '' : `, or choose another place with ${option}`;
    return `The disk is full: ${path ?? 'what is needed'} cannot be written. Make room${instead}.`;
  }
  // Without a path it is of something else, such as a port.
  if (code === undefined || path === undefined) return undefined;
  const instead = option === undefined ? '' : ` Choose another place with ${option}.`;
  return `${path} may not be ${code === 'EROFS' ? '' : 'read or '}written (${code}).${instead}`;
}
