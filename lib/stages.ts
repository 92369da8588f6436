import { RemovalPolicy } from 'aws-cdk-lib';
import { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import { Problem } from './local/problem.ts';

/** All that may differ from stage to stage. */
export interface Stage {
  /** The table outlives the stack, and cannot be deleted by a slip. */
  keepsData: boolean;
  /** Web origins whose pages may call the API; `*` for any. */
  allowedOrigins: readonly string[];
  logLevel: ApplicationLogLevel;
  logRetentionDays: number;
  /** What the gateway lets through of all callers together; above it, 429. */
  throttling: { requestsPerSecond: number; burst: number };
  identity: Identity;
  /** Who is told of alarms, besides the console. */
  alarmEmail?: string;
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

const stages: Record<string, Stage> = {
  dev: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: ApplicationLogLevel.DEBUG,
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 100, burst: 200 },
    identity: 'user-pool',
    deploysGradually: false,
  },
  staging: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: ApplicationLogLevel.INFO,
    logRetentionDays: 30,
    throttling: { requestsPerSecond: 500, burst: 1000 },
    firewall: { requestsPerMinute: { ofOneToken: 600, ofOneAddress: 6000 } },
    traces: { perSecond: 1, share: 0.01 },
    identity: 'user-pool',
    deploysGradually: false,
  },
  prod: {
    keepsData: true,
    allowedOrigins: ['https://app.example.com'],
    logLevel: ApplicationLogLevel.INFO,
    logRetentionDays: 90,
    throttling: { requestsPerSecond: 2000, burst: 4000 },
    firewall: { requestsPerMinute: { ofOneToken: 600, ofOneAddress: 6000 } },
    traces: { perSecond: 1, share: 0.01 },
    identity: 'user-pool',
    deploysGradually: true,
  },
};

/** The stage of that name; an absent or unknown name is an error, never a default. */
export function stageNamed(name: unknown): Stage {
  const stage = typeof name === 'string' && Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage) return stage;
  const names = Object.keys(stages).join(', ');
  throw new Problem(
    name === undefined
      ? `Say which stage: -c stage=NAME, one of ${names}.`
      : `There is no stage '${name}': lib/stages.ts has ${names}.`,
  );
}

export const removalPolicy = (stage: Stage) =>
  stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
