import { Problem } from './problem.ts';
import { listed, ownStageName, slipOf } from './stage-names.ts';

/** What is logged: this, and what is worse. As Lambda calls it. */
export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';

/** All that may differ from stage to stage: data, which the constructs make the CDK's objects of. */
export interface Stage {
  /** The AWS account that it is deployed to, twelve digits, and no other; that of the credentials unless given. */
  account?: string;
  /** Its region, and no other; that of the credentials unless given. */
  region?: string;
  /** The table and the people outlive the stack, and neither they nor the stack can be deleted by a slip. */
  keepsData: boolean;
  /** Web origins whose pages may call the API; `*` for any. */
  allowedOrigins: readonly string[];
  logLevel: LogLevel;
  logRetentionDays: number;
  /** What the gateway lets through of all callers together; above it, 429. */
  throttling: { requestsPerSecond: number; burst: number };
  identity: Identity;
  /**
   * What happens is told in feeds, and to whoever listens; unless given. `false` deploys none of it, and its paths are not
   * found.
   */
  events?: boolean;
  /**
   * The reference is served by the stage itself at /docs, and every error leads there, unless given. Given, the stage serves
   * none, and errors lead to that page: docs/errors.md, wherever it is published. `#` and the code are put behind it.
   */
  docs?: { errorsPage: string };
  /** Who is told of alarms, besides the console. */
  alarmEmail?: string;
  /** What a month should cost at most: somebody hears when it will cost more. */
  budget?: Budget;
  /** The API is asked every five minutes whether it answers, and an alarm tells when it does not. */
  asksItself?: boolean;
  /** New code gets a tenth of the requests first, and is taken back when an alarm is raised meanwhile. */
  deploysGradually: boolean;
  /** A name of one's own in the place of API Gateway's. */
  domain?: Domain;
  /**
   * A web application firewall before the API, for $11 a month and $0.60 per million requests: what one token and one
   * address may ask for in a minute, whatever else comes; above it, 429. At least 10. Many people may share an address.
   */
  firewall?: { requestsPerMinute: { ofOneToken: number; ofOneAddress: number } };
  /**
   * Which requests are traced: so many of each second, and of the others a share from 0 to 1; all unless given. A million
   * traces cost $5.
   */
  traces?: { perSecond: number; share: number };
  /** Serves in the place of the stack's own table, which stays as it is: docs/recovery.md. */
  restoredTable?: RestoredTable;
}

export interface Budget {
  /** US dollars a month. */
  dollars: number;
  /** Who is told. */
  email: string;
}

/** A table that `npm run restore` has made. */
export interface RestoredTable {
  name: string;
  /** Of its stream. */
  streamArn: string;
}

/**
 * Whose tokens are accepted: those of a Cognito user pool that the stack makes, or of an OpenID Connect issuer that is
 * there already.
 */
export type Identity =
  | 'user-pool'
  | {
      /** The `iss` of its tokens. */
      issuer: string;
      /** The `aud` of tokens for this API. */
      audience: string;
      /** Address of its key set (JWKS). */
      keysUrl: string;
    };

export interface Domain {
  /** `api.example.com`: a CNAME or alias to the stack's output DomainTarget is yours to make. */
  name: string;
  /** ARN of its certificate, in the region of the stack. */
  certificateArn: string;
}

const stages: Record<(typeof listed)[number], Stage> = {
  dev: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: 'DEBUG',
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 100, burst: 200 },
    identity: 'user-pool',
    deploysGradually: false,
  },
  staging: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: 'INFO',
    logRetentionDays: 30,
    throttling: { requestsPerSecond: 500, burst: 1000 },
    firewall: { requestsPerMinute: { ofOneToken: 600, ofOneAddress: 6000 } },
    traces: { perSecond: 1, share: 0.01 },
    identity: 'user-pool',
    // As prod does, so that what is done there at last was done here first.
    deploysGradually: true,
    asksItself: true,
  },
  prod: {
    keepsData: true,
    allowedOrigins: ['https://app.example.com'],
    logLevel: 'INFO',
    logRetentionDays: 90,
    throttling: { requestsPerSecond: 2000, burst: 4000 },
    firewall: { requestsPerMinute: { ofOneToken: 600, ofOneAddress: 6000 } },
    traces: { perSecond: 1, share: 0.01 },
    identity: 'user-pool',
    deploysGradually: true,
    asksItself: true,
  },
};

/** Every stage of one's own, of a developer or a pull request: `npm run deploy -- --stage ann`. */
const ownStage: Stage = {
  keepsData: false,
  allowedOrigins: ['*'],
  logLevel: 'DEBUG',
  logRetentionDays: 3,
  throttling: { requestsPerSecond: 50, burst: 100 },
  identity: 'user-pool',
  deploysGradually: false,
};

/**
 * The stage of that name: a listed one, or else one of one's own. A name that is absent, or that may be a slip for a
 * listed one, is a Problem, never a default.
 */
export function getStage(name: unknown): Stage {
  const names = listed.join(', ');
  if (typeof name !== 'string') {
    throw new Problem(`Say which stage: -c stage=NAME, one of ${names}, or one of your own.`);
  }
  const known = listed.find((one) => one === name);
  if (known) return stages[known];
  const slip = slipOf(name);
  if (ownStageName.test(name) && !slip) return ownStage;
  throw new Problem(
    `There is no stage '${name}': lib/stages.ts has ${names}.\n` +
      `A stage of your own has a name of 2 to 20 small letters, digits and hyphens, such as ann or pr-12${slip ? `, and not one so like ${slip}` : ''}.`,
  );
}
