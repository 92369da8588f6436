import { messageOf } from '../problem.ts';

/** In a line what a disk refuses, by whichever of our programs it was met; undefined of other errors. */
export function diskComplaint(error: unknown): string | undefined {
  const text = messageOf(error);
  const [, code] = /\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM): /.exec(text) ?? [];
  if (code === undefined && !/database or disk is full/.test(text)) return undefined;
  const [, path = 'what is needed'] = /\bE[A-Z]+: [^\n]*'([^'\n]+)'/.exec(text) ?? [];
  return code === undefined || code === 'ENOSPC' || code === 'EDQUOT'
    ? `The disk is full: ${path} cannot be written. Make room, or keep the data elsewhere with --data.`
    : `${path} may not be written (${code}): keep the data elsewhere with --data.`;
}
