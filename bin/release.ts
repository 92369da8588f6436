import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, run } from '../commands/cli/command.ts';
import { readCommit } from '../commands/cli/read-commit.ts';
import { type ReleaseFiles, releasePaths, withRelease } from '../commands/release/release-files.ts';
import { Problem } from '../lib/problem.ts';

const root = join(import.meta.dirname, '..');

const command = defineCommand('release')
  .argument('<version>', 'the new version, such as 0.2.0')
  .action(async (version) => {
    if ((await readCommit(root))?.endsWith('-dirty')) {
      throw new Problem('There are uncommitted changes: commit them first.');
    }
    const files: ReleaseFiles = {
      'package.json': readText('package.json'),
      'package-lock.json': readText('package-lock.json'),
      'client/package.json': readText('client/package.json'),
      'CHANGELOG.md': readText('CHANGELOG.md'),
    };
    const released = withRelease(files, version, new Date().toISOString().slice(0, 10));
    for (const path of releasePaths) writeFileSync(join(root, path), released[path]);
    execFileSync('npm', ['run', '--silent', 'docs'], { cwd: root, stdio: 'inherit' });
    console.log(
      `Version ${version}: review the diff, run \`npm run check\`, commit, and tag v${version}.`,
    );
  });

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

await run(command);
