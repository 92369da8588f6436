import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { stackNameOf } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import { confirm, nobodyToAsk } from '../cli/confirm.ts';
import type { Tools } from '../cli/tools.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';
import { requireLocation } from '../stage/place.ts';
import { leftovers, removeTable, restoredTables } from './leftovers.ts';
import { findStack } from './stack-state.ts';

export interface DestroyOptions {
  /** Its name. */
  stage: string;
  /** Ask nothing. */
  yes: boolean;
}

/**
 * Removes the stack of a stage with its data, and the tables that were restored of it; then says what is left. Never of
 * a stage that keeps its data, and never in another account than the stage's.
 */
export async function destroy(options: DestroyOptions, tools: Tools): Promise<void> {
  const { stage: name } = options;
  const stage = getStage(name);
  if (stage.keepsData) {
    throw new Problem(
      `${name} keeps its data (keepsData in lib/stages.ts), so this command does not remove it, with or without --yes.\n` +
        'How to do it by hand: docs/deploy.md#destroying',
    );
  }
  if (!options.yes && !tools.ask) throw new Problem(nobodyToAsk);
  await requireLocation(name, stage, tools.print);
  const cloudformation = new CloudFormationClient();
  const dynamodb = new DynamoDBClient();
  const stack = await findStack(cloudformation, stackNameOf(name));
  const look = unlessRefused(tools);
  const tables = await look(
    'which tables were restored of it',
    restoredTables(dynamodb, stackNameOf(name)),
  );
  for (const table of tables) tools.print(`With the table ${table}, which was restored of it.`);
  if (!stack && tables.length === 0) {
    tools.print(`There is nothing of ${name} here.`);
    return;
  }
  if (!options.yes) await confirm(tools, name, `This removes ${name} and all that is in it.`);
  if (stack) {
    await tools.cdk(['destroy', stackNameOf(name), '-c', `stage=${name}`, '--force']);
  }
  for (const table of tables) await removeTable(dynamodb, table);
  tools.print(`${name} is gone.`);
  if (stack?.StackId === undefined) return;
  const left = await look('what it left behind', leftovers(cloudformation, stack.StackId));
  for (const line of left) tools.print(line);
}

/** Whoever may deploy a stage may remove it, also if they may not look at all of this: then that is said. */
const unlessRefused =
  ({ print }: Pick<Tools, 'print'>) =>
  (what: string, lines: Promise<string[]>): Promise<string[]> =>
    lines.catch((error) => {
      const why = awsComplaint(error);
      if (why === undefined) throw error;
      print(`It could not be seen ${what}. ${why}`);
      return [];
    });
