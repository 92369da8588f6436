import { getStage, type Stage } from '../../../lib/stages.ts';
import { UsageProblem } from '../../cli/usage-problem.ts';
import { findRunningStage, type RunningStage } from '../../stage/running-stage.ts';
import { openUserPool } from '../../users/user-pool.ts';
import { readAwsResources } from './aws-resources.ts';
import type { DeployedResources } from './deployed-resources.ts';
import { readLocalResources } from './local-resources.ts';
import {
  createLocalScenarioUsers,
  createPoolScenarioUsers,
  readTokenUsers,
  type ScenarioUsers,
} from './scenario-users.ts';

/** A deployed stage, the local cloud, or an API known only by its URL. */
export interface VerifyTarget {
  kind: 'stage' | 'local' | 'address';
  name: string;
  /** URL of the API, without a trailing slash. */
  url: string;
  users?: ScenarioUsers;
  noUsersReason?: string;
  stage?: Stage;
  running?: RunningStage;
  deployed?: DeployedResources;
}

export interface TargetOptions {
  stage?: string;
  local: boolean;
  url?: string;
  /** Data folder of the local cloud. */
  directory: string;
  /** Whether to create users in a stage that retains its data. */
  yesProd: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}

export const getNoUsersReason = ({ noUsersReason }: VerifyTarget): string =>
  noUsersReason ?? 'no users are available';

export const noServicesReason = 'only the URL of the API is known: specify --stage NAME';

/**
 * Returns the selected target, and creates or reads its users. Throws a UsageProblem if the options
 * select no target.
 */
export async function findTarget(options: TargetOptions): Promise<VerifyTarget> {
  const { stage, local, url } = options;
  if (stage !== undefined) return findStageTarget(stage, options);
  if (local) return findLocalTarget(options);
  if (url !== undefined) return findUrlTarget(url, options);
  throw new UsageProblem('Specify a target: --stage NAME, --local, or --url https://….');
}

async function findStageTarget(name: string, options: TargetOptions): Promise<VerifyTarget> {
  const stage = getStage(name);
  // A deployed stage has no local folder.
  const running = await findRunningStage(name, '');
  const url = trimSlashes(options.url ?? running.output('ApiUrl'));
  const { users, noUsersReason } = await createStageUsers(name, stage, running, options);
  return {
    kind: 'stage',
    name,
    url,
    stage,
    running,
    deployed: readAwsResources(name, () => running.output('TableName')),
    ...(users && { users }),
    ...(noUsersReason !== undefined && { noUsersReason }),
  };
}

/**
 * Creates users in the stage's own user pool, or reads the tokens of an external issuer's users.
 */
async function createStageUsers(
  name: string,
  { identity, keepsData }: Stage,
  running: RunningStage,
  { environment, yesProd }: TargetOptions,
): Promise<Pick<VerifyTarget, 'users' | 'noUsersReason'>> {
  if (identity !== 'user-pool') {
    return readUsersOrReason(
      environment,
      `${name} accepts tokens of ${identity.issuer}: ${setTokensText}`,
    );
  }
  if (keepsData && !yesProd) {
    return {
      noUsersReason: `${name} retains its data: add --yes-prod to create users there and delete them afterwards`,
    };
  }
  return { users: await createPoolScenarioUsers(openUserPool(running)) };
}

const setTokensText =
  'set the environment variables ANN, BOB and CAROL to tokens; Ann must share one group with Bob and another with Carol';

async function readUsersOrReason(environment: TargetOptions['environment'], noUsersReason: string) {
  const users = await readTokenUsers(environment);
  return users ? { users } : { noUsersReason };
}

async function findLocalTarget({ directory, url }: TargetOptions): Promise<VerifyTarget> {
  const running = await findRunningStage(undefined, directory);
  return {
    kind: 'local',
    name: 'the local cloud',
    url: trimSlashes(url ?? running.output('ApiUrl')),
    stage: getStage('dev'),
    running,
    users: await createLocalScenarioUsers(directory),
    deployed: readLocalResources(directory, () => running.output('TableName')),
  };
}

const findUrlTarget = async (
  url: string,
  { environment }: TargetOptions,
): Promise<VerifyTarget> => ({
  kind: 'address',
  name: url,
  url: trimSlashes(url),
  ...(await readUsersOrReason(environment, `no tokens are available: ${setTokensText}`)),
});

const trimSlashes = (url: string) => url.replace(/\/+$/, '');
