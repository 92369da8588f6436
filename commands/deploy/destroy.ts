import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { Problem } from '../../lib/problem.ts';
import { toStackName } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import type { CommandTools } from '../cli/command-tools.ts';
import { confirm, noTerminalText } from '../cli/confirm.ts';
import { toAwsErrorMessage } from '../stage/aws-error-message.ts';
import { requireLocation } from '../stage/stage-location.ts';
import { emptyBucket, findBuckets } from './empty-bucket.ts';
import { deleteTable, findRestoredTables, listRemainingResources } from './remaining-resources.ts';
import { findStack } from './stack-state.ts';

export interface DestroyOptions {
  stage: string;
  yes: boolean;
}

/**
 * Deletes the stack of a stage with its data and its restored tables, then lists the remaining
 * resources. Throws a Problem if the stage retains its data, or if this terminal's account or
 * region differs from the stage's.
 */
export async function destroy(options: DestroyOptions, tools: CommandTools): Promise<void> {
  const { stage: name } = options;
  const stage = getStage(name);
  if (stage.keepsData) {
    throw new Problem(
      `${name} retains its data (keepsData in lib/stages.ts): this command does not delete it, even with --yes.\n` +
        'To delete it manually, see docs/deploy.md#destroying',
    );
  }
  if (!options.yes && !tools.prompt) throw new Problem(noTerminalText);
  await requireLocation(name, stage, tools.print);
  const cloudformation = new CloudFormationClient();
  const dynamodb = new DynamoDBClient();
  const stack = await findStack(cloudformation, toStackName(name));
  const listOrReport = createTolerantList(tools);
  const tables = await listOrReport(
    'the restored tables',
    findRestoredTables(dynamodb, toStackName(name)),
  );
  for (const table of tables) tools.print(`This also deletes the restored table ${table}.`);
  if (!stack && tables.length === 0) {
    tools.print(
      `No stack of ${name} exists in this account and region. Check the AWS profile and region.`,
    );
    return;
  }
  if (!options.yes) await confirm(tools, name, `This deletes ${name} with all its data.`);
  if (stack) {
    const buckets = await listOrReport(
      'the buckets',
      findBuckets(cloudformation, toStackName(name)),
    );
    for (const bucket of buckets) await emptyBucket(new S3Client(), bucket);
    await tools.cdk(['destroy', toStackName(name), '-c', `stage=${name}`, '--force']);
  }
  for (const table of tables) await deleteTable(dynamodb, table);
  tools.print(`${name} is deleted.`);
  if (stack?.StackId === undefined) return;
  const remaining = await listOrReport(
    'the remaining resources',
    listRemainingResources(cloudformation, stack.StackId),
  );
  for (const line of remaining) tools.print(line);
}

/**
 * Returns a function that awaits the promise of a list and returns the list. If AWS returns an
 * error, the function prints the error and returns an empty list, because a role that can delete a
 * stage may lack read permissions.
 */
const createTolerantList =
  ({ print }: Pick<CommandTools, 'print'>) =>
  (description: string, lines: Promise<string[]>): Promise<string[]> =>
    lines.catch((error) => {
      const reason = toAwsErrorMessage(error);
      if (reason === undefined) throw error;
      print(`Could not list ${description}. ${reason}`);
      return [];
    });
