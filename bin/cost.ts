import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { defineCommand, run } from '../commands/cli/command.ts';
import { numberFrom, stageName } from '../commands/cli/kinds.ts';
import { billFor } from '../commands/cost/bill.ts';
import { billText } from '../commands/cost/bill-text.ts';
import type { OperationId } from '../commands/cost/budgets.ts';
import { stackFacts } from '../commands/cost/stack-facts.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';
import { operations } from '../shared/contract/operations.ts';

/** What people say for the operations that are most of the bill. */
const aliases: Partial<Record<OperationId, string>> = {
  'messages/send': '--sends, ',
  'messages/list': '--lists, ',
};

/** An option for each operation, such as --messages-send, which may be called --sends. */
const requestOptions = operations.map(({ id, summary }) => ({
  id,
  option: new Option(`${aliases[id] ?? ''}--${id.replace('/', '-')} <number>`, `“${summary}”`)
    .argParser(numberFrom(0))
    .default(0),
}));

const command = defineCommand(
  'cost',
  'With nothing sent, for a million of each operation, and for what is given.',
)
  .option('--stage <name>', 'the stage that is synthesized and looked at', stageName, 'prod')
  .option('--json', 'as JSON', false)
  .option('--no-free', 'take nothing off for what every account has for nothing')
  .optionsGroup('In the month:')
  .option('--stored-gb <number>', 'in the table and its indexes, on average', numberFrom(0), 0)
  .option(
    '--active-users <number>',
    'people who sign in with the stack’s own user pool',
    numberFrom(0),
    0,
  )
  .option(
    '--listeners <number>',
    'connections that hear of each change, on average',
    numberFrom(0),
    0,
  )
  .option(
    '--listening-hours <number>',
    'hours for which connections are open, of all who listen together',
    numberFrom(0),
    0,
  )
  .optionsGroup('Requests in the month:')
  .action(async ({ stage, json, free, ...volumes }) => {
    const requests = new Map(
      requestOptions.map(({ id, option }) => [
        id,
        v.parse(v.number(), command.getOptionValue(option.attributeName())),
      ]),
    );
    const synthesis = join(import.meta.dirname, '../.local/synthesis');
    const { template } = await synthesize(stage, synthesis);
    const bill = billFor(stackFacts(template), { ...volumes, requests }, free);
    console.log(json ? JSON.stringify({ stage, ...bill }, undefined, 2) : billText(stage, bill));
  });
for (const { option } of requestOptions) command.addOption(option);

await run(command);
