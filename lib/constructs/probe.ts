import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import type { AlarmRow } from './alarm-row.ts';
import { MessagingFunction } from './messaging-function.ts';

export interface ProbeProps {
  stage: Stage;
  bundles: string;
  baseUrl: string;
  /** As the authorizer's environment. */
  acceptedTokens: Record<string, string>;
}

const every = Duration.minutes(5);

/** Asks the API whether it answers, also while nobody else does. */
export class Probe extends MessagingFunction {
  constructor(scope: Construct, id: string, props: ProbeProps) {
    const { stage, bundles, baseUrl, acceptedTokens } = props;
    const { TOKEN_ISSUER = '', TOKEN_AUDIENCE = '' } = acceptedTokens;
    super(scope, id, {
      stage,
      path: 'probe',
      bundles,
      description: 'Asks the API whether it answers',
      memoryMegabytes: 256,
      environment: { API_URL: baseUrl, TOKEN_ISSUER, TOKEN_AUDIENCE },
      statements: [],
    });
    new Rule(scope, `${id}Schedule`, {
      description: 'Asks the API whether it answers',
      schedule: Schedule.rate(every),
      // The next time is soon: to ask again at once is no use.
      targets: [new FunctionTarget(this.live, { retryAttempts: 0 })],
    });
  }

  /** Also when it is not asked at all. */
  alarms(): Record<string, AlarmRow> {
    const options = { period: every, statistic: Stats.SUM };
    const [calls, errors] = [this.metricInvocations(options), this.metricErrors(options)];
    return {
      ProbeFails: {
        severity: 'page',
        says: 'For a quarter of an hour the API has not answered as it should',
        page: 'probe-fails',
        metric: new MathExpression({
          expression: 'IF(calls > errors, 0, 1)',
          usingMetrics: { calls, errors },
          period: every,
          label: 'no right answer',
        }),
        above: 0,
        periods: 3,
        silenceIsWrong: true,
      },
    };
  }
}
