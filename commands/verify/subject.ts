import { getStage, type Stage } from '../../lib/stages.ts';
import { UsageProblem } from '../cli/usage-problem.ts';
import { type RunningStage, runningStage } from '../stage/stage.ts';
import { poolOf } from '../users/pool.ts';
import type { Deployed } from './deployed.ts';
import { deployedHere } from './deployed-here.ts';
import { deployedOnAws } from './deployed-on-aws.ts';
import { givenPeople, localPeople, type People, poolPeople } from './people.ts';

/** The target of the checks: a deployed stage, the local cloud, or an API known only by its URL. */
export interface Subject {
  kind: 'stage' | 'local' | 'address';
  name: string;
  /** URL of the API, without a trailing slash. */
  url: string;
  /** Undefined if no users are available. */
  people?: People;
  /** Why no users are available. */
  whyNoPeople?: string;
  stage?: Stage;
  running?: RunningStage;
  deployed?: Deployed;
}

export interface SubjectOptions {
  stage?: string;
  local: boolean;
  url?: string;
  /** The folder of the local cloud's keys. */
  directory: string;
  /** Create users even in a stage that retains its data. */
  yesProd: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}

export const noPeople = ({ whyNoPeople }: Subject): string =>
  whyNoPeople ?? 'no users are available';

export const noServices = 'only the URL of the API is known: give --stage NAME';

/** Returns the target given on the command line. Throws a UsageProblem if there is none. */
export async function subjectOf(options: SubjectOptions): Promise<Subject> {
  const { stage, local, url } = options;
  if (stage !== undefined) return stageSubject(stage, options);
  if (local) return localSubject(options);
  if (url !== undefined) return addressSubject(url, options);
  throw new UsageProblem('Give a target: --stage NAME, --local, or --url https://….');
}

async function stageSubject(name: string, options: SubjectOptions): Promise<Subject> {
  const stage = getStage(name);
  // A deployed stage has no local folder.
  const running = await runningStage(name, '');
  const url = trimmed(options.url ?? running.output('ApiUrl'));
  const { people, whyNoPeople } = await stagePeople(name, stage, running, options);
  return {
    kind: 'stage',
    name,
    url,
    stage,
    running,
    deployed: deployedOnAws(name, () => running.output('TableName')),
    ...(people && { people }),
    ...(whyNoPeople !== undefined && { whyNoPeople }),
  };
}

/** Creates users if the stage has its own user pool. */
async function stagePeople(
  name: string,
  { identity, keepsData }: Stage,
  running: RunningStage,
  { environment, yesProd }: SubjectOptions,
): Promise<Pick<Subject, 'people' | 'whyNoPeople'>> {
  if (identity !== 'user-pool') {
    return givenOr(environment, `${name} accepts tokens of ${identity.issuer}: ${setTokens}`);
  }
  if (keepsData && !yesProd) {
    return {
      whyNoPeople: `${name} retains its data: add --yes-prod to create users there and delete them afterwards`,
    };
  }
  return { people: await poolPeople(poolOf(running)) };
}

const setTokens = 'set ANN, BOB and CAROL (Ann shares a group with each of the others)';

async function givenOr(environment: SubjectOptions['environment'], whyNoPeople: string) {
  const people = await givenPeople(environment);
  return people ? { people } : { whyNoPeople };
}

async function localSubject({ directory, url }: SubjectOptions): Promise<Subject> {
  const running = await runningStage(undefined, directory);
  return {
    kind: 'local',
    name: 'the local cloud',
    url: trimmed(url ?? running.output('ApiUrl')),
    stage: getStage('dev'),
    running,
    people: await localPeople(directory),
    deployed: deployedHere(directory, () => running.output('TableName')),
  };
}

const addressSubject = async (url: string, { environment }: SubjectOptions): Promise<Subject> => ({
  kind: 'address',
  name: url,
  url: trimmed(url),
  ...(await givenOr(environment, `no tokens are available: ${setTokens}`)),
});

const trimmed = (url: string) => url.replace(/\/+$/, '');
