import { getStage, type Stage } from '../../lib/stages.ts';
import { UsageProblem } from '../cli/usage-problem.ts';
import { type RunningStage, runningStage } from '../stage/stage.ts';
import { poolOf } from '../users/pool.ts';
import type { Deployed } from './deployed.ts';
import { deployedHere } from './deployed-here.ts';
import { deployedOnAws } from './deployed-on-aws.ts';
import { givenPeople, localPeople, type People, poolPeople } from './people.ts';

/**
 * What is looked at: a deployed stage, the local cloud, or an API of which only the address is
 * known.
 */
export interface Subject {
  kind: 'stage' | 'local' | 'address';
  name: string;
  /** Of the API, without a slash at its end. */
  url: string;
  /** Undefined where there are no users to be had. */
  people?: People;
  /** Why there are none. */
  whyNoPeople?: string;
  stage?: Stage;
  running?: RunningStage;
  deployed?: Deployed;
}

export interface SubjectOptions {
  stage?: string;
  local: boolean;
  url?: string;
  /** Where `npm start` keeps its keys. */
  directory: string;
  /** Users may be made in a stage that keeps its data. */
  yesProd: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}

export const noPeople = ({ whyNoPeople }: Subject): string => whyNoPeople ?? 'there are no users';

export const noServices = 'only the address of the API is known: give --stage NAME';

/** Throws a UsageProblem when nothing is given that could be looked at. */
export async function subjectOf(options: SubjectOptions): Promise<Subject> {
  const { stage, local, url } = options;
  if (stage !== undefined) return stageSubject(stage, options);
  if (local) return localSubject(options);
  if (url !== undefined) return addressSubject(url, options);
  throw new UsageProblem('Say what to look at: --stage NAME, --local, or --url https://….');
}

async function stageSubject(name: string, options: SubjectOptions): Promise<Subject> {
  const stage = getStage(name);
  // A deployed stage has nothing in a folder here.
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

/** Users of its own, where the stage has a pool to make them in. */
async function stagePeople(
  name: string,
  { identity, keepsData }: Stage,
  running: RunningStage,
  { environment, yesProd }: SubjectOptions,
): Promise<Pick<Subject, 'people' | 'whyNoPeople'>> {
  if (identity !== 'user-pool') {
    return givenOr(environment, `${name} takes the tokens of ${identity.issuer}: ${setTokens}`);
  }
  if (keepsData && !yesProd) {
    return {
      whyNoPeople: `${name} keeps its data: say --yes-prod to have users made there, and taken away again`,
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
  ...(await givenOr(environment, `nobody’s token is known: ${setTokens}`)),
});

const trimmed = (url: string) => url.replace(/\/+$/, '');
