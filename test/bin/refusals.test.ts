import { expect, test } from '@jest/globals';
import { runCommand } from '../support/processes/run-command.ts';

const noStage = "error: required option '--stage <name>' not specified";
const misspelledStage =
  "error: option '--stage <name>' argument 'stagin' is invalid. There is no stage 'stagin': lib/stages.ts has dev, staging, prod.";
const noTerminal = 'Confirmation requires a terminal: run the command in a terminal, or add --yes.';
const invalid = (option: string, value: string, advice: string) =>
  `error: option '--${option}' argument '${value}' is invalid. ${advice}`;
const unitRange = 'Give a whole number from 1 to 40000.';
const sends = 'sends, --messages-send <number>';
const notNegative = 'Give a number of at least 0.';

test.each([
  ['bin/deploy.ts', '', noStage],
  ['bin/deploy.ts', '--stage stagin --yes', misspelledStage],
  ['bin/deploy.ts', '--stage dev', noTerminal],
  ['bin/deploy.ts', '--stage dev --at-onse', "error: unknown option '--at-onse'"],
  ['bin/destroy.ts', '', noStage],
  ['bin/destroy.ts', '--stage stagin --yes', misspelledStage],
  ['bin/destroy.ts', '--stage dev', noTerminal],
  [
    'bin/destroy.ts',
    '--stage prod --yes',
    'prod retains its data (keepsData in lib/stages.ts): this command does not delete it, even with --yes.',
  ],
  ['bin/destroy.ts', '--stage dev --force', "error: unknown option '--force'"],
  ['bin/rollback.ts', '--yes', noStage],
  [
    'bin/rollback.ts',
    '--stage staging --yes --to 12',
    'error: A version number requires a function: add --function NAME.',
  ],
  [
    'bin/rollback.ts',
    '--stage staging --yes --function MessagesSend',
    "error: With --function, give one of its versions: --to 12, not 'previous'.",
  ],
  [
    'bin/rollback.ts',
    '--stage staging --yes --to noon',
    "error: 'noon' is not valid: specify previous, deployed, or a time such as 2026-11-21T10:00:00Z.",
  ],
  [
    'bin/seed.ts',
    '--stage prod',
    'The stage prod retains its data and has real users. To create a test user there, add --yes-prod.',
  ],
  [
    'bin/seed.ts',
    '--people 5 --remove',
    "error: option '--remove' cannot be used with option '--people <number>'",
  ],
  ['bin/restore.ts', '--to latest', noStage],
  ['bin/restore.ts', '--stage stagin --to latest', misspelledStage],
  ['bin/restore.ts', '--stage staging', "error: required option '--to <time>' not specified"],
  [
    'bin/restore.ts',
    '--stage staging --to noon',
    invalid(
      'to <time>',
      'noon',
      "'noon' is not valid: specify a time such as 2026-11-21T10:00:00Z, or latest.",
    ),
  ],
  ['bin/restore.ts', '--stage staging --to latest --form x', "error: unknown option '--form'"],
  ['bin/export.ts', '--bucket b', noStage],
  [
    'bin/export.ts',
    '--stage staging',
    'error: Missing destination: specify --bucket BUCKET, --users FILE, or both.',
  ],
  ['bin/export-person.ts', '', "error: required option '--contact <id>' not specified"],
  ['bin/erase-person.ts', '', 'error: Specify a person: --contact ID or --erased-in TABLE.'],
  [
    'bin/erase-person.ts',
    '--contact bob --erased-in a-table',
    "error: option '--erased-in <table>' cannot be used with option '--contact <id>'",
  ],
  [
    'bin/erase-person.ts',
    '--contact bob --read-units 0',
    invalid('read-units <number>', '0', unitRange),
  ],
  [
    'bin/export-person.ts',
    '--contact bob --read-units 0',
    invalid('read-units <number>', '0', unitRange),
  ],
  ['bin/cost.ts', '--mails 1', "error: unknown option '--mails'"],
  ['bin/cost.ts', '--sends many', invalid(sends, 'many', notNegative)],
  ['bin/cost.ts', '--messages-send -1', invalid(sends, '-1', notNegative)],
  [
    'test/soak/command.ts',
    '--minutes ten',
    invalid('minutes <number>', 'ten', 'Give a number from 0.01 to 1440.'),
  ],
  [
    'test/soak/command.ts',
    '--people 1.5',
    invalid('people <number>', '1.5', 'Give a whole number from 1 to 200.'),
  ],
  ['test/soak/command.ts', '--hours 1', "error: unknown option '--hours'"],
])('%s rejects the options “%s” with an error message', (program, options, message) => {
  const outcome = runCommand(program, ...options.split(' ').filter(Boolean));
  expect(outcome).toEqual({ status: 1, stdout: '', errorLine: message });
});
