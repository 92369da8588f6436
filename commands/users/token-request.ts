import type { TokenClaims } from '../../local-cloud/issuer.ts';
import { UsageProblem } from '../cli/usage-problem.ts';

export interface LocalRequest {
  contactId: string;
  claims: TokenClaims;
  directory: string;
}

export interface StageRequest {
  stage: string;
  user: string;
  /** Groups to add the user to. The command creates missing groups. */
  join: readonly string[];
  leave: readonly string[];
  profile: Profile;
  onlyId: boolean;
  yesProd: boolean;
}

interface Profile {
  username?: string;
  phone_number?: string;
  picture?: string;
}

/** The options of `npm run token`. The contact id is a positional argument. */
export interface TokenOptions {
  groups?: string[] | undefined;
  username?: string | undefined;
  phoneNumber?: string | undefined;
  picture?: string | undefined;
  expiresIn?: number | undefined;
  data: string;
  stage?: string | undefined;
  user?: string | undefined;
  leave?: string[] | undefined;
  id: boolean;
  yesProd: boolean;
}

/**
 * Converts the command line to a request. Throws a UsageProblem if the command line is incomplete,
 * or if it combines options for the local cloud with options for a stage.
 */
export const parseTokenRequest = (
  contactId: string | undefined,
  options: TokenOptions,
): LocalRequest | StageRequest =>
  options.stage === undefined
    ? toLocalRequest(contactId, options)
    : toStageRequest(options.stage, contactId, options);

function toLocalRequest(contactId: string | undefined, options: TokenOptions): LocalRequest {
  const { user, leave, id, yesProd, groups, expiresIn } = options;
  for (const [name, value] of Object.entries({ user, leave, id, 'yes-prod': yesProd })) {
    if (value) throw new UsageProblem(`--${name} requires --stage.`);
  }
  if (contactId === undefined)
    throw new UsageProblem('Missing contact id: pass it as the first argument.');
  return {
    contactId,
    claims: {
      ...(groups && { groups }),
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
      username: contactId,
      ...toProfile(options),
    },
    directory: options.data,
  };
}

function toStageRequest(
  stage: string,
  contactId: string | undefined,
  options: TokenOptions,
): StageRequest {
  const { user, groups: join = [], leave = [], id: onlyId, yesProd } = options;
  if (user === undefined || contactId !== undefined) {
    throw new UsageProblem('With --stage, pass --user NAME instead of a contact id.');
  }
  return { stage, user, join, leave, profile: toProfile(options), onlyId, yesProd };
}

const toProfile = ({ username, phoneNumber, picture }: TokenOptions): Profile => ({
  ...(username !== undefined && { username }),
  ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
  ...(picture !== undefined && { picture }),
});
