import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../support/processes/run-command.ts';

const noStage = "error: required option '--stage <name>' not specified";
const slip =
  "error: option '--stage <name>' argument 'stagin' is invalid. There is no stage 'stagin': lib/stages.ts has dev, staging, prod.";
const noTerminal = 'Confirmation requires a terminal: run this in a terminal, or add --yes.';

describe('npm run deploy', () => {
  test.each([
    [[], noStage],
    [['--stage', 'stagin', '--yes'], slip],
    [['--stage', 'dev'], noTerminal],
    [['--stage', 'dev', '--at-onse'], "error: unknown option '--at-onse'"],
  ])('rejects %j before it runs anything', (parameters, message) => {
    expect(runCommand('bin/deploy.ts', ...parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: message,
    });
  });
});

describe('npm run destroy', () => {
  test.each([
    [[], noStage],
    [['--stage', 'stagin', '--yes'], slip],
    [['--stage', 'dev'], noTerminal],
    [
      ['--stage', 'prod', '--yes'],
      'prod retains its data (keepsData in lib/stages.ts): this command never deletes it, with or without --yes.',
    ],
    [['--stage', 'dev', '--force'], "error: unknown option '--force'"],
  ])('rejects %j before it runs anything', (parameters, message) => {
    expect(runCommand('bin/destroy.ts', ...parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: message,
    });
  });
});

describe('npm run rollback', () => {
  const staging = ['--stage', 'staging', '--yes'];
  test.each([
    [['--yes'], noStage],
    [
      [...staging, '--to', '12'],
      'error: A version number requires a function: add --function NAME.',
    ],
    [
      [...staging, '--function', 'MessagesSend'],
      "error: With --function, give one of its versions: --to 12, not 'previous'.",
    ],
    [
      [...staging, '--to', 'noon'],
      "error: 'noon' is not valid: give previous, deployed, or a time such as 2026-11-21T10:00:00Z.",
    ],
  ])('rejects %j before it runs anything', (parameters, message) => {
    expect(runCommand('bin/rollback.ts', ...parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: message,
    });
  });
});

describe('npm run restore', () => {
  const staging = ['--stage', 'staging'];
  test.each([
    [['--to', 'latest'], noStage],
    [['--stage', 'stagin', '--to', 'latest'], slip],
    [staging, "error: required option '--to <time>' not specified"],
    [
      [...staging, '--to', 'noon'],
      "error: option '--to <time>' argument 'noon' is invalid. 'noon' is not valid: give a time such as 2026-11-21T10:00:00Z, or latest.",
    ],
    [[...staging, '--to', 'latest', '--form', 'x'], "error: unknown option '--form'"],
  ])('rejects %j', (parameters, message) => {
    expect(runCommand('bin/restore.ts', ...parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: message,
    });
  });
});

describe('npm run export', () => {
  test.each([
    [['--bucket', 'b'], noStage],
    [['--stage', 'staging'], 'error: Give a destination: --bucket BUCKET, --users FILE, or both.'],
  ])('rejects %j', (parameters, message) => {
    expect(runCommand('bin/export.ts', ...parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: message,
    });
  });
});

describe('npm run erase-person and export-person', () => {
  test.each([
    ['bin/export-person.ts', [], "error: required option '--contact <id>' not specified"],
    ['bin/erase-person.ts', [], 'error: Give --contact ID or --erased-in TABLE.'],
    [
      'bin/erase-person.ts',
      ['--contact', 'bob', '--erased-in', 'a-table'],
      "error: option '--erased-in <table>' cannot be used with option '--contact <id>'",
    ],
    ...['bin/erase-person.ts', 'bin/export-person.ts'].map((file): [string, string[], string] => [
      file,
      ['--contact', 'bob', '--read-units', '0'],
      "error: option '--read-units <number>' argument '0' is invalid. Give a whole number from 1 to 40000.",
    ]),
  ])('%s %j is rejected', (file, parameters, message) => {
    expect(runCommand(file, ...parameters)).toEqual({ status: 1, stdout: '', errorLine: message });
  });
});

describe('npm run cost', () => {
  const sends = "error: option '--sends, --messages-send <number>' argument";
  test.each([
    [['--mails', '1'], "error: unknown option '--mails'"],
    [['--sends', 'many'], `${sends} 'many' is invalid. Give a number of at least 0.`],
    [['--messages-send', '-1'], `${sends} '-1' is invalid. Give a number of at least 0.`],
  ])('rejects %j', (parameters, message) => {
    expect(runCommand('bin/cost.ts', ...parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: message,
    });
  });
});

describe('npm run soak', () => {
  const rejected = (option: string, value: string, cure: string) =>
    `error: option '--${option} <number>' argument '${value}' is invalid. ${cure}`;
  test.each([
    [['--minutes', 'ten'], rejected('minutes', 'ten', 'Give a number from 0.01 to 1440.')],
    [['--people', '1.5'], rejected('people', '1.5', 'Give a whole number from 1 to 200.')],
    [['--hours', '1'], "error: unknown option '--hours'"],
  ])('rejects %j', (parameters, message) => {
    const outcome = runCommand('test/soak/command.ts', ...parameters);
    expect(outcome).toEqual({ status: 1, stdout: '', errorLine: message });
  });
});
