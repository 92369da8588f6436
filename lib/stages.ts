import { Problem } from './problem.ts';
import { findSimilarName, listedStages, ownStageName } from './stage-names.ts';

/** Minimum level of log lines, in Lambda's terms. */
export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';

/** Settings that can differ between stages, as plain data. */
export interface Stage {
  /** The only AWS account (12 digits) for the stage; default: the account of the credentials. */
  account?: string;
  /** The only region for the stage; default: the region of the credentials. */
  region?: string;
  /**
   * Retains the data and the users when the stack is deleted, and protects the table, the user pool
   * and the stack from deletion.
   */
  keepsData: boolean;
  /**
   * Encrypts the table, files, logs, queues and topics with a key of the stage, which costs about
   * $3 a month. By default, keys that AWS owns or manages are used: docs/deploy.md.
   */
  hasCustomerManagedKey?: boolean;
  /** Web origins whose pages may call the API; `*` for any. */
  allowedOrigins: readonly string[];
  logLevel: LogLevel;
  logRetentionDays: number;
  /** Throttling limits for all callers combined. Requests above these limits return 429. */
  throttling: { requestsPerSecond: number; burst: number };
  identity: Identity;
  /**
   * Whether the stage has events (feed and push); true by default. If false, requests to the event
   * paths return 404.
   */
  events?: boolean;
  /**
   * Whether the stage puts its events on an EventBridge bus, at $1 per million events:
   * docs/events.md. False by default. A stage with webhooks also has a bus. A stage without events
   * has no bus.
   */
  bus?: boolean;
  /**
   * Lets operators add endpoints that receive signed events; false by default. See
   * docs/webhooks.md.
   */
  webhooks?: boolean;
  /**
   * Whether participants can list a conversation's readers; true by default. If false, requests for
   * this list return 404.
   */
  readReceipts?: boolean;
  /**
   * By default, users can upload files of all types. With `false`, the stage has no bucket, and the
   * paths of attachments return 404. If a stage disables attachments later, the files of earlier
   * messages become unavailable.
   */
  attachments?: false | Attachments;
  /**
   * Location of external documentation. If set, the stage serves no reference at /docs, and errors
   * link to `<errorsPage>#<code>`. `errorsPage` is the URL of a published copy of docs/errors.md.
   */
  docs?: { errorsPage: string };
  /** E-mail address that receives alarms. */
  alarmEmail?: string;
  budget?: Budget;
  /**
   * Whether a probe checks the API and the age of open reports every five minutes; false by
   * default.
   */
  hasProbe?: boolean;
  /** Shifts a tenth of the requests to new code first, and rolls back if an alarm fires. */
  deploysGradually: boolean;
  /** Custom domain instead of API Gateway's host name. */
  domain?: Domain;
  /**
   * Web application firewall for the API and the push API, at $12 a month and $0.60 per million
   * requests. It limits requests per minute by token and by IP address. Many users may share an IP
   * address. Both limits must be at least 10. The functions enforce the limit per person. Requests
   * above a limit return 429.
   */
  firewall?: { requestsPerMinute: { perToken: number; perPerson: number; perAddress: number } };
  /**
   * Traced requests: the first `perSecond` requests of each second, and the fraction `share` (0 to
   * 1) of the other requests. By default, all requests are traced. A million traces cost $5.
   */
  traces?: { perSecond: number; share: number };
  /**
   * Table that the stage uses instead of the stack's table, which remains unchanged: see
   * docs/recovery.md.
   */
  restoredTable?: RestoredTable;
}

export interface Attachments {
  /** Accepted media types, such as `image/*`; all by default. */
  types?: readonly string[];
  /**
   * Whether GuardDuty scans each file for malware. AWS bills per file and per GB: see docs/cost.md.
   * If true, only clean files are served, unless `servesUnscanned` is true. False by default.
   */
  scan?: boolean;
  /**
   * Whether the stage serves unscanned files, such as archives with a password, which GuardDuty
   * cannot scan. Default: true only if the stage does not scan files.
   */
  servesUnscanned?: boolean;
  /**
   * Whether the thumbnail worker runs in a VPC that reaches only the bucket; true by default.
   * Custom stages set `false`, because AWS's default quota is five VPCs per region.
   */
  isolatesThumbnails?: boolean;
}

/** Reports whether GuardDuty scans the uploaded files of the stage. */
export const scansFiles = ({ attachments = {} }: Pick<Stage, 'attachments'>): boolean =>
  attachments !== false && attachments.scan === true;

export interface Budget {
  /** US dollars per month. */
  dollars: number;
  /** E-mail address that AWS notifies. */
  email: string;
}

/** A table created by `npm run restore`. */
export interface RestoredTable {
  name: string;
  /** ARN of the table's stream. */
  streamArn: string;
}

/**
 * Issuer of accepted tokens: a Cognito user pool of the stack, or an existing OpenID Connect
 * issuer.
 */
export type Identity =
  | 'user-pool'
  | {
      /** `iss` claim of the tokens. */
      issuer: string;
      /** `aud` claim of tokens for this API. */
      audience: string;
      /** URL of the issuer's key set (JWKS). */
      keysUrl: string;
    };

export interface Domain {
  /**
   * Host name, such as `api.example.com`. Its CNAME or alias record must point to the stack's
   * output DomainTarget.
   */
  name: string;
  /** ARN of the domain's certificate, in the region of the stack. */
  certificateArn: string;
}

const stages: Record<(typeof listedStages)[number], Stage> = {
  dev: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: 'DEBUG',
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 100, burst: 200 },
    identity: 'user-pool',
    attachments: { scan: true },
    bus: true,
    webhooks: true,
    deploysGradually: false,
  },
  staging: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: 'INFO',
    logRetentionDays: 30,
    throttling: { requestsPerSecond: 500, burst: 1000 },
    firewall: { requestsPerMinute: { perToken: 600, perPerson: 1200, perAddress: 6000 } },
    traces: { perSecond: 0, share: 0.01 },
    identity: 'user-pool',
    attachments: { scan: true },
    // This stage deploys like prod, so that every deployment procedure runs here first.
    deploysGradually: true,
    hasProbe: true,
  },
  prod: {
    keepsData: true,
    allowedOrigins: ['https://app.example.com'],
    logLevel: 'INFO',
    logRetentionDays: 90,
    throttling: { requestsPerSecond: 2000, burst: 4000 },
    firewall: { requestsPerMinute: { perToken: 600, perPerson: 1200, perAddress: 6000 } },
    traces: { perSecond: 0, share: 0.01 },
    identity: 'user-pool',
    attachments: { scan: true },
    deploysGradually: true,
    hasProbe: true,
  },
};

/** Settings of custom stages for developers and pull requests: `npm run deploy -- --stage ann`. */
const ownStage: Stage = {
  keepsData: false,
  allowedOrigins: ['*'],
  logLevel: 'DEBUG',
  logRetentionDays: 3,
  throttling: { requestsPerSecond: 50, burst: 100 },
  identity: 'user-pool',
  attachments: { scan: true, isolatesThumbnails: false },
  bus: true,
  webhooks: true,
  deploysGradually: false,
};

/**
 * Returns the stage's settings. Throws a Problem if the name is missing, invalid, or similar to a
 * listed or reserved name.
 */
export function getStage(name: unknown): Stage {
  const names = listedStages.join(', ');
  if (typeof name !== 'string') {
    throw new Problem(
      `Missing stage: pass -c stage=NAME, where NAME is one of ${names}, or a custom name.`,
    );
  }
  const listedStage = listedStages.find((one) => one === name);
  if (listedStage) return stages[listedStage];
  const similarName = findSimilarName(name);
  if (ownStageName.test(name) && !similarName) return ownStage;
  throw new Problem(
    `There is no stage '${name}': lib/stages.ts has ${names}.\n` +
      `A custom stage has a name of 2 to 20 lowercase letters, digits and hyphens, such as ann or pr-12${similarName ? `; '${name}' is too similar to ${similarName}` : ''}.`,
  );
}
