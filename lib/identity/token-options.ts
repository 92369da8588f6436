import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { OutsideId } from '../../shared/contract/values.ts';
import type { TokenClaims } from '../local/identity.ts';
import { Problem } from '../problem.ts';

export const usage = `npm run -s token -- CONTACT_ID [options]                     for the local cloud
  --groups A,B          groups that the contact belongs to
  --expires-in SECONDS  43200, twelve hours; --expires-in=-1 is over already
  --username NAME       the contact id
  --phone-number NUMBER, --picture URL
  --data DIR            where npm start keeps its keys: .local

npm run -s token -- --stage STAGE --user NAME [options]      for a deployed stage
  Makes a test user of that name in the stage's user pool unless there is one, and prints a token of it. Uses the AWS
  credentials and region of this terminal.
  --groups A,B          puts the user into these groups; makes those that are not there
  --leave A,B           takes the user out of these
  --username NAME, --phone-number NUMBER, --picture URL
  --id                  prints the user's contact id in the place of a token
  --yes-prod            also in a stage that keeps its data
  --help                print this`;

/** Something that the usage tells how to put right. */
export class UsageProblem extends Problem {}

/** A token of the local cloud's own identity provider. */
export interface LocalRequest {
  contactId: string;
  claims: TokenClaims;
  directory: string;
}

/** A token of a test user of a deployed stage. */
export interface StageRequest {
  stage: string;
  user: string;
  /** Groups that the user is to be in, and those that it is not to be in; nothing is said of others. */
  join: readonly string[];
  leave: readonly string[];
  profile: Profile;
  /** The contact id is wanted in the place of a token. */
  onlyId: boolean;
  yesProd: boolean;
}

interface Profile {
  username?: string;
  phone_number?: string;
  picture?: string;
}

const options = {
  groups: { type: 'string' },
  username: { type: 'string' },
  'phone-number': { type: 'string' },
  picture: { type: 'string' },
  help: { type: 'boolean' },
  'expires-in': { type: 'string' },
  data: { type: 'string' },
  stage: { type: 'string' },
  user: { type: 'string' },
  leave: { type: 'string' },
  id: { type: 'boolean' },
  'yes-prod': { type: 'boolean' },
} as const;

const localOnly = ['expires-in', 'data'] as const;
const stageOnly = ['user', 'leave', 'id', 'yes-prod'] as const;

type Values = ReturnType<typeof parse>['values'];
const parse = (args: string[]) => parseArgs({ args, allowPositionals: true, options });

/** What the command line asks for; undefined when it asks for help. */
export function tokenRequest(args: string[]): LocalRequest | StageRequest | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  return values.stage === undefined
    ? localRequest(values, positionals)
    : stageRequest(values.stage, values, positionals);
}

function localRequest(values: Values, [contactId, ...others]: string[]): LocalRequest {
  for (const name of stageOnly) {
    if (values[name] !== undefined) throw new UsageProblem(`--${name} takes a --stage.`);
  }
  if (contactId === undefined || others.length > 0) throw new UsageProblem('Give one contact id.');
  return {
    contactId: outsideId('contact id', contactId),
    claims: {
      ...(values.groups !== undefined && { groups: groupsIn(values.groups) }),
      ...(values['expires-in'] !== undefined && { expires_in: seconds(values['expires-in']) }),
      username: contactId,
      ...profileOf(values),
    },
    directory: values.data ?? '.local',
  };
}

function stageRequest(stage: string, values: Values, positionals: string[]): StageRequest {
  for (const name of localOnly) {
    if (values[name] !== undefined) {
      throw new UsageProblem(`--${name} is for the local cloud, and goes without --stage.`);
    }
  }
  if (values.user === undefined || positionals.length > 0) {
    throw new UsageProblem(`For a stage give one --user NAME, and no contact id.`);
  }
  return {
    stage,
    user: outsideId('user', values.user),
    join: groupsIn(values.groups),
    leave: groupsIn(values.leave),
    profile: profileOf(values),
    onlyId: values.id ?? false,
    yesProd: values['yes-prod'] ?? false,
  };
}

const profileOf = (values: Values): Profile => ({
  ...(values.username !== undefined && { username: values.username }),
  ...(values['phone-number'] !== undefined && { phone_number: values['phone-number'] }),
  ...(values.picture !== undefined && { picture: values.picture }),
});

const groupsIn = (list: string | undefined): string[] =>
  list?.split(',').map((group) => outsideId('group', group)) ?? [];

function outsideId(what: string, text: string): string {
  const parsed = v.safeParse(OutsideId, text);
  if (parsed.success) return parsed.output;
  throw new UsageProblem(`The ${what} '${text}' ${parsed.issues[0].message}.`);
}

function seconds(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new UsageProblem(`'${text}' is no number of seconds.`);
  return Number(text);
}
