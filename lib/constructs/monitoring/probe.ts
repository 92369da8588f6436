import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import type { TokenEnvironment } from '../identity/token-environment.ts';
import { MessagingFunction } from '../messaging-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';

export interface ProbeProps {
  stage: Stage;
  bundles: string;
  baseUrl: string;
  /** As in the authorizer's environment. */
  tokenEnvironment: TokenEnvironment;
}

const every = Duration.minutes(5);

/** Probes the API, also while no client uses it. */
export class Probe extends MessagingFunction {
  constructor(scope: Construct, id: string, props: ProbeProps) {
    const { stage, bundles, baseUrl, tokenEnvironment } = props;
    const { TOKEN_ISSUER, TOKEN_AUDIENCE } = tokenEnvironment;
    super(scope, id, {
      stage,
      path: 'probe',
      bundles,
      description: 'Probes the API',
      memoryMegabytes: 256,
      environment: { API_URL: baseUrl, TOKEN_ISSUER, TOKEN_AUDIENCE },
      statements: [],
    });
    new Rule(scope, `${id}Schedule`, {
      description: 'Probes the API',
      schedule: Schedule.rate(every),
      // The next run is soon, so retries are useless.
      targets: [new FunctionTarget(this.live, { retryAttempts: 0 })],
    });
  }

  /** Missing data counts as a failure. */
  alarms(): Record<string, AlarmDefinition> {
    const options = { period: every, statistic: Stats.SUM };
    const [calls, errors] = [this.metricInvocations(options), this.metricErrors(options)];
    return {
      ProbeFails: {
        severity: 'page',
        symptom: 'The API has not answered the probe correctly for 15 minutes',
        runbookEntry: 'probe-fails',
        metric: new MathExpression({
          expression: 'IF(calls > errors, 0, 1)',
          usingMetrics: { calls, errors },
          period: every,
          label: 'no correct answer',
        }),
        threshold: 0,
        breachingPeriods: 3,
        missingDataIsBreaching: true,
      },
    };
  }
}
