import { getStage, type Stage } from '../../../lib/stages.ts';

/** Options that dev or prod does not set, or sets to other values. */
const options = {
  allowedOrigins: ['https://app.example.org', 'https://admin.example.org'],
  identity: {
    issuer: 'https://login.example.com',
    audience: 'messaging',
    keysUrl: 'https://login.example.com/keys',
  },
  docs: { errorsPage: 'https://developers.example.com/messaging/errors' },
  alarmEmail: 'alarms@example.com',
  budget: { dollars: 100, email: 'costs@example.com' },
  hasProbe: true,
  bus: true,
  webhooks: true,
  hasCustomerManagedKey: true,
  deploysGradually: true,
  domain: {
    name: 'api.example.com',
    certificateArn:
      'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
  },
  firewall: { requestsPerMinute: { perToken: 100, perPerson: 200, perAddress: 1000 } },
  traces: { perSecond: 1, share: 0.5 },
  restoredTable: {
    name: 'messaging-restored',
    streamArn:
      'arn:aws:dynamodb:eu-central-1:123456789012:table/messaging-restored/stream/2026-11-21T00:00:00.000',
  },
} satisfies Partial<Stage>;

/**
 * A stage with all options except two that replace a resource: `restoredTable` replaces the stage's
 * table, and `docs` replaces the API reference.
 */
const { restoredTable, docs, ...besidesTable } = options;
const everything: Stage = { ...getStage('prod'), ...besidesTable };

/** Stages whose templates are tested. The name is also part of the stack's name. */
export const testStages: readonly [name: string, stage: Stage][] = [
  ...['dev', 'staging', 'prod'].map((name) => [name, getStage(name)] satisfies [string, Stage]),
  ['everything', everything],
];

/** The stage with all options, in a known account and region. */
export const stageWithAccount: [name: string, stage: Stage] = [
  'everything-there',
  { ...everything, account: '123456789012', region: 'eu-central-1' },
];

export const stageWithoutEvents: [name: string, stage: Stage] = [
  'dev-without-events',
  { ...getStage('dev'), events: false },
];

/**
 * Stages that together cover all settings. The stages include dev with each single option, and the
 * stage with all options plus a user pool, a restored table or `docs`.
 */
export const stageVariants: readonly [name: string, stage: Stage][] = [
  ...testStages,
  ['ann', getStage('ann')],
  stageWithoutEvents,
  ...Object.entries(options).map(
    ([option, value]) =>
      [`dev-${option}`, { ...getStage('dev'), [option]: value }] satisfies [string, Stage],
  ),
  ['dev-without-attachments', { ...getStage('dev'), attachments: false }],
  ['dev-unscanned', { ...getStage('dev'), attachments: { types: ['image/*'] } }],
  ['everything-pool', { ...everything, identity: 'user-pool' }],
  ['everything-restored', { ...everything, restoredTable }],
  ['everything-without-docs', { ...everything, docs }],
  stageWithAccount,
];

/** Returns the variant. Complete runs prepare its template before all tests. */
export function getVariant(name: string): readonly [name: string, stage: Stage] {
  const variant = stageVariants.find(([one]) => one === name);
  if (!variant) throw new Error(`There is no stage variant '${name}'.`);
  return variant;
}
