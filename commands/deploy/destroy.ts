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
  /** The stage's name. */
  stage: string;
  /** Skip the confirmation. */
  yes: boolean;
}

/**
 * Deletes the stack of a stage with its data and the tables restored from it, then lists the
 * remaining resources. Throws a Problem for a stage that retains its data, and for an account other
 * than the stage's.
 */
export async function destroy(options: DestroyOptions, tools: Tools): Promise<void> {
  const { stage: name } = options;
  const stage = getStage(name);
  if (stage.keepsData) {
    throw new Problem(
      `${name} retains its data (keepsData in lib/stages.ts): this command never deletes it, with or without --yes.\n` +
        'To delete it manually: docs/deploy.md#destroying',
    );
  }
  if (!options.yes && !tools.ask) throw new Problem(nobodyToAsk);
  await requireLocation(name, stage, tools.print);
  const cloudformation = new CloudFormationClient();
  const dynamodb = new DynamoDBClient();
  const stack = await findStack(cloudformation, stackNameOf(name));
  const look = unlessRefused(tools);
  const tables = await look(
    'the tables restored from it',
    restoredTables(dynamodb, stackNameOf(name)),
  );
  for (const table of tables)
    tools.print(`This also deletes the table ${table}, which was restored from it.`);
  if (!stack && tables.length === 0) {
    tools.print(`No stack of ${name} in this account and region.`);
    return;
  }
  if (!options.yes) await confirm(tools, name, `This deletes ${name} with all its data.`);
  if (stack) {
    await tools.cdk(['destroy', stackNameOf(name), '-c', `stage=${name}`, '--force']);
  }
  for (const table of tables) await removeTable(dynamodb, table);
  tools.print(`${name} is deleted.`);
  if (stack?.StackId === undefined) return;
  const left = await look('the remaining resources', leftovers(cloudformation, stack.StackId));
  for (const line of left) tools.print(line);
}

/**
 * A role that may deploy a stage may delete it without all read permissions. In that case, reports
 * what could not be read.
 */
const unlessRefused =
  ({ print }: Pick<Tools, 'print'>) =>
  (what: string, lines: Promise<string[]>): Promise<string[]> =>
    lines.catch((error) => {
      const why = awsComplaint(error);
      if (why === undefined) throw error;
      print(`Could not list ${what}. ${why}`);
      return [];
    });
