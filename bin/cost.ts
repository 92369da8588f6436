import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { defineCommand, run } from '../commands/cli/command.ts';
import { createNumberParser, parseStageName } from '../commands/cli/option-parsers.ts';
import { addPeople } from '../commands/cost/add-people.ts';
import { personMonth } from '../commands/cost/assumptions.ts';
import { createBill } from '../commands/cost/bill.ts';
import type { OperationId } from '../commands/cost/budgets.ts';
import { formatBill } from '../commands/cost/format-bill.ts';
import { readStackFacts } from '../commands/cost/stack-facts.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';
import { operations } from '../shared/contract/operations.ts';

/** Short option names for the operations that make up most of the bill. */
const aliases: Partial<Record<OperationId, string>> = {
  'messages/send': '--sends, ',
  'messages/list': '--lists, ',
};

const requestOptions = operations.map(({ id, summary }) => ({
  id,
  option: new Option(`${aliases[id] ?? ''}--${id.replace('/', '-')} <number>`, `“${summary}”`)
    .argParser(createNumberParser(0))
    .default(0),
}));

const command = defineCommand(
  'cost',
  'Prints the cost without traffic, per million requests of each operation, and for the given traffic.',
)
  .option('--stage <name>', 'the stage to synthesize and evaluate', parseStageName, 'prod')
  .option('--json', 'print JSON', false)
  .option('--no-free', 'do not deduct the free tier')
  .optionsGroup('Monthly traffic:')
  .option(
    '--people <number>',
    `people who chat, each with ${personMonth.requests['messages/send']} sends, ${personMonth.requests['messages/list']} message lists, ${personMonth.requests['conversations/list']} conversation lists, ${personMonth.listeningHours} listening hours and a few changes; every event reaches ${personMonth.connections} connections`,
    createNumberParser(0),
    0,
  )
  .option(
    '--stored-gb <number>',
    'GB in the table and its indexes, on average',
    createNumberParser(0),
    0,
  )
  .option(
    '--active-users <number>',
    'users who sign in to the stack’s own user pool',
    createNumberParser(0),
    0,
  )
  .option(
    '--listeners <number>',
    'average number of connections that receive each event',
    createNumberParser(0),
    0,
  )
  .option(
    '--listening-hours <number>',
    'total connection hours of all listeners',
    createNumberParser(0),
    0,
  )
  .optionsGroup('Monthly requests:')
  .action(async ({ stage, json, free, people, ...volumes }) => {
    const requested = new Map(
      requestOptions.map(({ id, option }) => [
        id,
        v.parse(v.number(), command.getOptionValue(option.attributeName())),
      ]),
    );
    const synthesis = join(import.meta.dirname, '../.local/synthesis');
    const { template } = await synthesize(stage, synthesis);
    const month = addPeople({ ...volumes, requests: requested }, people);
    const bill = createBill(readStackFacts(template), month, free);
    console.log(json ? JSON.stringify({ stage, ...bill }, undefined, 2) : formatBill(stage, bill));
  });
for (const { option } of requestOptions) command.addOption(option);

await run(command);
