import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { watchFolder } from '../../../commands/start/watch-folder.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';

const root = mkdtempSync(join(tmpdir(), 'watched-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('watchFolder continues if folders are deleted during its scans, and watches new folders', async () => {
  let changes = 0;
  const stop = watchFolder(root, () => changes++, 'linux');
  const script = 'for i in $(seq 200); do mkdir -p a/b/c d/e/f; rm -r a d; done';
  await promisify(execFile)('sh', ['-c', script], { cwd: root });
  const folder = join(root, 'new', 'inner');
  mkdirSync(folder, { recursive: true });
  const start = changes;
  // Each check writes the file once. The two new folders alone cause fewer than 20 events. The file
  // has the same name as its folder, so its events resemble those of the folder.
  await waitUntil(() => {
    writeFileSync(join(folder, 'inner'), '');
    return changes >= start + 20;
  });
  stop();
  expect(changes).toBeGreaterThan(start);
});
