import {
  Annotations,
  CfnOutput,
  type CfnOutputProps,
  Duration,
  Stack,
  type StackProps,
  Tags,
  Validations,
} from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Operation } from '../shared/contract/operation.ts';
import { operations } from '../shared/contract/operations.ts';
import { MessagingApi, permissionAcknowledgment } from './constructs/api/messaging-api.ts';
import { redeployOnChange } from './constructs/api/redeploy-on-change.ts';
import { ReferenceFunction } from './constructs/api/reference-function.ts';
import { GradualDeploys } from './constructs/deploys/gradual-deploys.ts';
import { FileBucket } from './constructs/file-bucket.ts';
import { LiveWorker } from './constructs/functions/live-worker.ts';
import { OperationFunction } from './constructs/functions/operation-function.ts';
import { PurgeWorker } from './constructs/functions/purge-worker.ts';
import { createScanWorker, type ScanWorker } from './constructs/functions/scan-worker.ts';
import { ThumbnailWorker } from './constructs/functions/thumbnail-worker.ts';
import { createWebhooks, type Webhooks } from './constructs/functions/webhooks.ts';
import {
  createTokenEnvironment,
  type TokenEnvironment,
} from './constructs/identity/token-environment.ts';
import { createBus, type MessagingBus } from './constructs/messaging-bus.ts';
import { MessagingFunction } from './constructs/messaging-function.ts';
import { getTableInUse, MessagingTable, type TableInUse } from './constructs/messaging-table.ts';
import { createCostBudget } from './constructs/monitoring/cost-budget.ts';
import { Monitoring, type MonitoringProps } from './constructs/monitoring/monitoring.ts';
import { Probe } from './constructs/monitoring/probe.ts';
import { PushApi } from './constructs/push-api.ts';
import { createStageKey } from './constructs/stage-key.ts';
import { getFunctionPath } from './function-paths.ts';
import { authorizerCacheMinutes } from './lifetimes.ts';
import { stageTag } from './stage-names.ts';
import { getStageWarnings } from './stage-warnings.ts';
import type { Stage } from './stages.ts';

export interface MessagingStackProps extends StackProps {
  stageName: string;
  stage: Stage;
  /** Commit of the sources; set only by `npm run deploy`. */
  commit?: string | undefined;
  /** Folder returned by bundleFunctions. */
  bundles: string;
}

interface Described {
  commit: string | undefined;
  baseUrl: string;
  table: TableInUse;
  files: FileBucket | undefined;
  purge: PurgeWorker;
  live: LiveWorker | undefined;
  bus: MessagingBus | undefined;
  scan: ScanWorker | undefined;
  thumbnails: ThumbnailWorker | undefined;
  webhooks: Webhooks | undefined;
}

const getOfferedOperations = (stage: Stage): Operation[] => {
  const all: readonly Operation[] = operations;
  return all.filter(({ feature }) => feature === undefined || stage[feature] !== false);
};

const groupByFunction = (offered: readonly Operation[]): Operation[][] => [
  ...Map.groupBy(offered, getFunctionPath).values(),
];

/** The stack that contains the whole service of a stage. */
export class MessagingStack extends Stack {
  constructor(scope: Construct, id: string, props: MessagingStackProps) {
    const { stageName, stage, commit, bundles, ...more } = props;
    // CloudFormation propagates stack tags only to some resources, so CDK tags each resource.
    const tags = { [stageTag]: stageName };
    super(scope, id, { terminationProtection: stage.keepsData, tags, ...more });
    this.addTagsAndWarnings(tags, stage);
    createStageKey(this, stage);
    const table = getTableInUse(new MessagingTable(this, 'Table', stage), stage);

    const tokens = createTokenEnvironment(this, stage);
    const authorizer = this.createAuthorizer(stage, bundles, tokens);
    const push =
      stage.events === false
        ? undefined
        : new PushApi(this, 'Push', { stageName, stage, bundles, table, tokenEnvironment: tokens });
    const files = stage.attachments === false ? undefined : new FileBucket(this, 'Files', stage);
    const functions = groupByFunction(getOfferedOperations(stage)).map(
      (operations) =>
        new OperationFunction(this, { stage, operations, table, bundles, push, files }),
    );
    const reference = stage.docs ? undefined : new ReferenceFunction(this, { stage, bundles });

    const api = new MessagingApi(this, 'Api', {
      ...{ stageName, stage, push },
      authorizer: new TokenAuthorizer(this, 'TokenAuthorizer', {
        handler: authorizer.live,
        resultsCacheTtl: Duration.minutes(authorizerCacheMinutes),
      }),
      operations: functions.flatMap(({ operations, live }) =>
        operations.map((operation) => ({ operation, handler: live })),
      ),
      reference: reference?.live,
    });

    const purge = new PurgeWorker(this, { stage, table, bundles, files });
    const scan = createScanWorker(this, { stage, table, bundles, files });
    const thumbnails = files && new ThumbnailWorker(this, { stage, bundles, files });
    const bus = push && createBus(this, stage);
    const webhooks = createWebhooks(this, { stage, table, bundles, bus });
    const live = push && new LiveWorker(this, { stage, table, bundles, push, bus });

    redeployOnChange(api);
    const probe = stage.hasProbe
      ? new Probe(this, 'Probe', {
          ...{ stage, bundles, table, baseUrl: api.baseUrl, tokenEnvironment: tokens },
        })
      : undefined;
    const watched = {
      ...{ table, authorizer, functions, reference, purge, live, push, bus },
      ...{ scan, thumbnails, webhooks },
    };
    this.addMonitoring(props, {
      ...watched,
      api: { name: api.restApiName, stageName },
      additionalAlarms: probe?.alarms() ?? {},
    });
    if (stage.budget) createCostBudget(this, stageName, stage.budget);

    this.addOutputs({ ...watched, commit, baseUrl: api.baseUrl, files });
  }

  private createAuthorizer(stage: Stage, bundles: string, environment: TokenEnvironment) {
    const authorizer = new MessagingFunction(this, 'Authorizer', {
      stage,
      path: 'authorizer',
      bundles,
      description: 'Checks the bearer token',
      environment,
      statements: [],
    });
    Validations.of(authorizer).acknowledge(permissionAcknowledgment);
    return authorizer;
  }

  private addTagsAndWarnings(tags: Record<string, string>, stage: Stage): void {
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);
    for (const [n, advice] of getStageWarnings(stage).entries()) {
      Annotations.of(this).addWarningV2(`messaging:stage-${n}`, advice);
    }
  }

  private addMonitoring(
    { stage, bundles }: MessagingStackProps,
    watched: Omit<MonitoringProps, 'stage'>,
  ): void {
    const { rollbackAlarms } = new Monitoring(this, 'Monitoring', { stage, ...watched });
    if (!stage.deploysGradually) return;
    // The channel authorizer, the thumbnail worker and the webhook sender deploy immediately. If
    // they fail, no request fails: clients poll, and events wait in queues.
    const { authorizer, functions, purge, reference, live, scan } = watched;
    const others = [reference, live, scan].filter((one) => one !== undefined);
    new GradualDeploys(this, 'Deploys', {
      stage,
      bundles,
      functions: [authorizer, ...functions, purge, ...others],
      alarms: rollbackAlarms,
    });
  }

  private addOutputs({
    commit,
    baseUrl,
    table,
    files,
    purge,
    live,
    bus,
    scan,
    thumbnails,
    webhooks,
  }: Described): void {
    const outputs: Record<string, CfnOutputProps> = {
      ApiUrl: { value: baseUrl, description: 'Base URL: append /v1/…' },
      ...(commit && { Commit: { value: commit, description: 'Commit that was deployed' } }),
      TableName: { value: table.tableName },
      ...(files && { FilesBucket: { value: files.bucketName } }),
      PurgeFailuresUrl: { value: purge.failures.queueUrl },
      ...(scan && { ScanFailuresUrl: { value: scan.failures.queueUrl } }),
      ...(thumbnails && { ThumbnailFailuresUrl: { value: thumbnails.failures.queueUrl } }),
      ...(live && { LiveFailuresUrl: { value: live.failures.queueUrl } }),
      ...webhooks?.outputs,
      ...(bus && { BusName: { value: bus.eventBusName, description: 'Event bus of all changes' } }),
    };
    for (const [name, output] of Object.entries(outputs)) new CfnOutput(this, name, output);
  }
}
