import { RemovalPolicy } from 'aws-cdk-lib';
import { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';

/** All that may differ from stage to stage. */
export interface Stage {
  /** The table outlives the stack, and cannot be deleted by a slip. */
  keepsData: boolean;
  /** Web origins whose pages may call the API; `*` for any. */
  allowedOrigins: readonly string[];
  logLevel: ApplicationLogLevel;
  logRetentionDays: number;
}

const stages: Record<string, Stage> = {
  dev: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: ApplicationLogLevel.DEBUG,
    logRetentionDays: 7,
  },
  staging: {
    keepsData: false,
    allowedOrigins: ['*'],
    logLevel: ApplicationLogLevel.INFO,
    logRetentionDays: 30,
  },
  prod: {
    keepsData: true,
    allowedOrigins: ['https://app.example.com'],
    logLevel: ApplicationLogLevel.INFO,
    logRetentionDays: 90,
  },
};

/** The stage of that name; an absent or unknown name is an error, never a default. */
export function stageNamed(name: unknown): Stage {
  const stage = typeof name === 'string' && Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage) return stage;
  const names = Object.keys(stages).join(', ');
  throw new Error(
    name === undefined
      ? `Say which stage: -c stage=NAME, one of ${names}.`
      : `There is no stage '${name}': lib/stages.ts has ${names}.`,
  );
}

export const removalPolicy = (stage: Stage) =>
  stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
