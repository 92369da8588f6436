import { createHash } from 'node:crypto';

/** The test file of eicar.org, in parts, so that virus scanners do not report this source file. */
export const infectedContent = [
  'X5O!P%@AP[4\\PZX54(P^)7CC)7}$',
  'EICAR',
  '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*',
].join('');

/**
 * Size of each file's content in bytes. All sizes are equal, so that a generated size matches any
 * generated hash.
 */
export const contentBytes = infectedContent.length;

export const fileContents: readonly string[] = [
  infectedContent,
  'x'.repeat(contentBytes),
  '<script>alert(1)</script>'.padEnd(contentBytes),
  '\u0000'.repeat(contentBytes),
];

export const toSha256 = (content: string): string =>
  createHash('sha256').update(content).digest('base64');
