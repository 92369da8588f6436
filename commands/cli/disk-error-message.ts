import { toErrorMessage } from '../../lib/problem.ts';

/**
 * Returns a one-line message for a disk error, or `undefined` for other errors. The message
 * suggests `option` for selecting another path.
 */
export function toDiskErrorMessage(error: unknown, option?: string): string | undefined {
  const text = toErrorMessage(error);
  const [, code, path] =
    /\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM): (?:[^\n]*'([^'\n]+)')?/.exec(text) ?? [];
  if (code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/.test(text)) {
    const hint = option === undefined ? '' : `, or choose another path with ${option}`;
    return `The disk is full: cannot write ${path ?? 'the required files'}. Free some space${hint}.`;
  }
  // An error without a path has a cause other than the disk, such as a port.
  if (code === undefined || path === undefined) return undefined;
  const hint = option === undefined ? '' : ` Choose another path with ${option}.`;
  return `No permission to ${code === 'EROFS' ? '' : 'read or '}write ${path} (${code}).${hint}`;
}
