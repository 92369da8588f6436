import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../support/run-command.ts';

const run = (...parameters: string[]) => runCommand('destroy', ...parameters);

describe('npm run destroy', () => {
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
    [
      ['--stage', 'prod', '--yes'],
      'prod keeps its data (keepsData in lib/stages.ts), so this command does not remove it, with or without --yes.',
    ],
    [['--stge', 'dev'], "Unknown option '--stge'"],
  ])('%j is refused before anything runs', (parameters, complaint) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', complaint });
  });
});
