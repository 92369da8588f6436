import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'messaging-businesses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the content to a temporary file, which the next call overwrites. */
export function writeTemporaryFile(content: string | Buffer): string {
  const file = join(folder, 'businesses');
  writeFileSync(file, content);
  return file;
}
