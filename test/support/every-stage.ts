import { type Stage, stageNamed } from '../../lib/stages.ts';

/** A stage with all that a stage can have. */
const everything: Stage = {
  ...stageNamed('prod'),
  allowedOrigins: ['https://app.example.com', 'https://admin.example.com'],
  identity: {
    issuer: 'https://login.example.com',
    audience: 'messaging',
    keysUrl: 'https://login.example.com/keys',
  },
  alarmEmail: 'alarms@example.com',
  domain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
  },
  firewall: { requestsPerMinute: { ofOneToken: 100, ofOneAddress: 1000 } },
};

export const everyStage: readonly [name: string, stage: Stage][] = [
  ...['dev', 'staging', 'prod'].map((name) => [name, stageNamed(name)] satisfies [string, Stage]),
  ['everything', everything],
];
