import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { guessShell, shells } from '../../../commands/users/shells.ts';

const awkward = `it's $HOME \\ "and" \`more\``;

describe('A printed variable assignment', () => {
  test('sets the exact value in sh', () => {
    const script = `${shells.sh.assignment('X', awkward)}\nprintf %s "$X"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(awkward);
  });

  test('is quoted for fish and PowerShell', () => {
    expect(shells.fish.assignment('X', `it's \\`)).toBe(`set -gx X 'it\\'s \\\\'`);
    expect(shells.powershell.assignment('X', `it's \\ ‘so’`)).toBe(`$X = 'it''s \\ ‘‘so’’'`);
  });
});

test('Quoting turns any argument into one word, and leaves a plain argument unchanged', () => {
  const words = ['.local', awkward, 'My data', '', '~', 'Ö'];
  const script = `printf '%s\\n' ${words.map(shells.sh.quote).join(' ')}`;
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(
    words.map((word) => `${word}\n`).join(''),
  );
  expect(Object.values(shells).map(({ quote }) => [quote('/srv/data-1'), quote(`it's`)])).toEqual([
    ['/srv/data-1', `'it'\\''s'`],
    ['/srv/data-1', `'it\\'s'`],
    ['/srv/data-1', `'it''s'`],
  ]);
});

test('The shell is guessed from the platform and SHELL', () => {
  const guesses = [
    guessShell('linux', '/bin/bash'),
    guessShell('darwin', '/opt/homebrew/bin/fish'),
    guessShell('win32', ''),
    guessShell('win32', '/usr/bin/bash'),
  ];
  expect(guesses).toEqual(['sh', 'fish', 'powershell', 'sh']);
});
