import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../support/run-command.ts';

const run = (...parameters: string[]) => runCommand('deploy', ...parameters);

describe('npm run deploy', () => {
  test.each([
    [[], 'Say which stage: --stage NAME, such as --stage dev.'],
    [
      ['--stage', 'stagin', '--yes'],
      "There is no stage 'stagin': lib/stages.ts has dev, staging, prod.",
    ],
    [
      ['--stage', 'dev'],
      'There is nobody to ask here: give --yes to go on without being asked, or run this in a terminal.',
    ],
    [['--stge', 'dev'], "Unknown option '--stge'"],
  ])('%j is refused before anything runs', (parameters, complaint) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', complaint });
  });
});
