import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { getFunctions } from '../../local-cloud/functions/function-definition.ts';
import { findBucket } from '../../local-cloud/objects/buckets.ts';
import { findEventApi } from '../../local-cloud/push/event-api.ts';
import { readStack, type Stack } from '../../local-cloud/stack/read-stack.ts';
import type { RequiredPermission } from '../../local-cloud/table/required-permissions.ts';
import { env } from '../../shared/env.ts';
import { findSecrets } from '../support/processes/find-secrets.ts';
import { importExampleListing } from '../support/processes/import-example-listing.ts';
import {
  type Recorded,
  recordingDirectory,
  recordScenarios,
} from '../support/processes/record-scenarios.ts';
import { runWebhooks, startPartner } from '../support/processes/webhook-partner.ts';
import { createRareTableCalls } from '../support/rare-calls/rare-table-calls.ts';
import { getLambdaServiceGrants } from '../support/template/lambda-service-grants.ts';
import {
  getStatementsByRole,
  isAllowed,
  type Statement,
} from '../support/template/policy-simulator.ts';
import { splitGrants, withoutGrant } from '../support/template/split-grants.ts';

interface Actor {
  id: string;
  roleArn: string;
  statements: Statement[];
  required: RequiredPermission[];
}

let stack: Stack;
let recorded: Recorded;
let actors: Actor[];
let partner: { stop(): void } | undefined;

async function addFailingEndpoint() {
  const failing = await startPartner(() => 500);
  const types = ['message.*', 'conversation.*', 'business.*'];
  const output = await runWebhooks(recordingDirectory, 'add', failing.url, '--types', ...types);
  if (!output.startsWith('Added')) throw new Error(output);
  return failing;
}

beforeAll(async () => {
  const assembly = await readAssembly(env('TEST_ASSEMBLY'));
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    // Shortens the batching windows so that the scenarios finish sooner.
    if (Type !== 'AWS::Lambda::EventSourceMapping') continue;
    if (Properties.MaximumBatchingWindowInSeconds) Properties.MaximumBatchingWindowInSeconds = 1;
  }
  stack = readStack(assembly.stackName, assembly.template);
  const { onTableCall, provoke } = createRareTableCalls();
  const first = async (cloud: Cloud) => {
    partner = await addFailingEndpoint();
    await importExampleListing(cloud);
    await provoke(cloud);
  };
  recorded = await recordScenarios({ assembly, onTableCall, first });
  partner?.stop();
  const granted = getStatementsByRole(stack);
  actors = getFunctions(stack, assembly.directory).map(({ id, roleArn }) => ({
    id,
    roleArn,
    statements: granted.get(roleArn) ?? [],
    required: deduplicate(
      recorded.calls.flatMap(({ functionId, permissions: grants }) =>
        functionId === id ? grants : [],
      ),
    ),
  }));
}, 1_200_000);

const deduplicate = (grants: RequiredPermission[]) => [
  ...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values(),
];

async function findRefused(
  roleArn: string,
  statements: readonly Statement[],
  required: RequiredPermission[],
) {
  const refused: RequiredPermission[] = [];
  for (const permission of required) {
    if (!(await isAllowed(roleArn, statements, permission))) refused.push(permission);
  }
  return refused;
}

test('All scenarios pass with the deployed permissions', () => {
  if (!recorded.passed) throw new Error(recorded.report);
});

describe("According to IAM's policy rules,", () => {
  test('the roles allow every observed call', async () => {
    const refused = actors.map(async ({ id, roleArn, statements, required }) =>
      (await findRefused(roleArn, statements, required)).map((permission) => ({
        id,
        ...permission,
      })),
    );
    expect((await Promise.all(refused)).flat()).toEqual([]);
  });

  test('each part of a grant is needed by an observed call', async () => {
    const unused = [];
    for (const { id, roleArn, statements, required } of actors) {
      for (const part of splitGrants(statements)) {
        const sameAction = required.filter(({ action }) => action === part.action);
        const refused = await findRefused(roleArn, withoutGrant(statements, part), sameAction);
        if (refused.length === 0) unused.push({ id, ...part });
      }
    }
    expect(unused).toEqual([]);
  });

  test('functions can access the table only with keys of the granted partitions', async () => {
    const allowed = [];
    for (const { id, roleArn, statements } of actors) {
      for (const { action, resource, partition } of splitGrants(statements)) {
        for (const leadingKeys of [[], ['OTHER#1'], [partition, 'OTHER#1'], [`X${partition}`]]) {
          const request = { action, resource, leadingKeys };
          if (await isAllowed(roleArn, statements, request)) allowed.push({ id, ...request });
        }
      }
    }
    expect(allowed).toEqual([]);
  });
});

test('Beyond access to the table and files, roles grant only what the Lambda service, the live worker and the webhook sender need', () => {
  const otherGrants = actors.map(({ id, statements }) => {
    const others = statements.filter((one) => one.Condition === undefined && !isOfFiles(one));
    const descriptions = others.flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => `${action} on ${resource}`)),
    );
    return [id, descriptions.sort()];
  });
  const expected = getLambdaServiceGrants(stack);
  const [worker = ''] = [...expected.keys()].filter((id) => /^Live[0-9A-F]{8}$/.test(id));
  const { arn = '' } = findEventApi(stack) ?? {};
  const publishes = `appsync:EventPublish on ${arn}/channelNamespace/inbox`;
  const [bus] = stack.resources('AWS::Events::EventBus', v.unknown());
  const puts = `events:PutEvents on ${bus?.attributes.Arn}`;
  const [sender = ''] = [...expected.keys()].filter((id) => /^WebhookSender[0-9A-F]{8}$/.test(id));
  const ownQueues = stack
    .resources('AWS::SQS::Queue', v.unknown())
    .filter(({ id }) => id.startsWith('Webhook'))
    .map(({ attributes: { Arn } }) => `sqs:SendMessage on ${Arn}`);
  const reads =
    'ssm:GetParameter on arn:aws:ssm:us-east-1:000000000000:parameter/messaging-dev/webhooks/*';
  expected.set(sender, [...(expected.get(sender) ?? []), ...ownQueues, reads].sort());
  expected.set(worker, [...(expected.get(worker) ?? []), publishes, puts].sort());
  expect(Object.fromEntries(otherGrants)).toEqual(Object.fromEntries(expected));
});

const isOfFiles = ({ Action }: Statement) => Action.every((action) => action.startsWith('s3:'));

test('Each function may call only the S3 actions that it needs, and only on the bucket for files', () => {
  const { arn = '' } = findBucket(stack) ?? {};
  const granted = actors.flatMap(({ id, statements }) => {
    const ofFiles = statements.filter(isOfFiles);
    const name = id.replace(/[0-9A-F]{8}$/, '');
    const descriptions = ofFiles.flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((one) => `${action} ${one.replace(arn, 'bucket')}`)),
    );
    return ofFiles.length > 0 ? [[name, descriptions.sort()]] : [];
  });
  expect(Object.fromEntries(granted)).toEqual({
    AttachmentsCreate: ['s3:PutObject bucket/files/*', 's3:PutObjectTagging bucket/files/*'],
    AttachmentsRetrieve: [
      's3:GetObject bucket/files/*',
      's3:GetObject bucket/thumbnails/*',
      's3:ListBucket bucket',
    ],
    MessagesSend: [
      's3:DeleteObjectTagging bucket/files/*',
      's3:DeleteObjectTagging bucket/thumbnails/*',
      's3:ListBucket bucket',
    ],
    Purge: ['s3:DeleteObject bucket/files/*', 's3:DeleteObject bucket/thumbnails/*'],
    Thumbnails: [
      's3:DeleteObject bucket/thumbnails/*',
      's3:DeleteObjectTagging bucket/thumbnails/*',
      's3:GetObject bucket/files/*',
      's3:GetObjectTagging bucket/files/*',
      's3:ListBucket bucket',
      's3:PutObject bucket/thumbnails/*',
      's3:PutObjectTagging bucket/thumbnails/*',
    ],
  });
});

test('The authorizer has no access to the table', () => {
  const [authorizer, ...others] = actors.filter(({ id }) => id.startsWith('Authorizer'));
  expect(others).toEqual([]);
  expect(JSON.stringify(authorizer?.statements)).not.toContain('dynamodb');
});

test('Functions log no message text or token', () => {
  expect([recorded.lines, recorded.secrets]).not.toContainEqual([]);
  expect(findSecrets(recorded.lines, recorded.secrets)).toEqual([]);
});
