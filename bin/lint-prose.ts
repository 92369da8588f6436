import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedPaths, checkProse } from '../docgen/prose/check-prose.ts';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', ...checkedPaths], { cwd: root, encoding: 'utf8' });
const findings = tracked
  .split('\n')
  .filter((file) => /\.(ts|md)$/.test(file))
  .flatMap((file) => checkProse(file, readFileSync(join(root, file), 'utf8')));

for (const { file, line, problem } of findings) console.error(`${file}:${line} ${problem}`);
if (findings.length > 0) process.exit(1);
