import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { createTableStatements } from '../functions/table-statements.ts';
import type { TokenEnvironment } from '../identity/token-environment.ts';
import { MessagingFunction, metricsNamespace } from '../messaging-function.ts';
import type { TableInUse } from '../messaging-table.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { createLogMetric } from './cloudwatch-metrics.ts';

export interface ProbeProps {
  stage: Stage;
  bundles: string;
  baseUrl: string;
  table: TableInUse;
  /** Issuer and audience of the probe's token, as in the authorizer's environment. */
  tokenEnvironment: TokenEnvironment;
}

const interval = Duration.minutes(5);

/** Probes the API, even while no client uses it, and measures the age of open reports. */
export class Probe extends MessagingFunction {
  constructor(scope: Construct, id: string, props: ProbeProps) {
    const { stage, bundles, baseUrl, table, tokenEnvironment } = props;
    const { TOKEN_ISSUER, TOKEN_AUDIENCE } = tokenEnvironment;
    super(scope, id, {
      stage,
      path: 'probe',
      bundles,
      description: 'Probes the API',
      memoryMegabytes: 256,
      environment: {
        API_URL: baseUrl,
        TOKEN_ISSUER,
        TOKEN_AUDIENCE,
        TABLE_NAME: table.tableName,
      },
      statements: createTableStatements({ openReports: ['Query'] }, table.tableArn),
    });
    new Rule(scope, `${id}Schedule`, {
      description: 'Probes the API',
      schedule: Schedule.rate(interval),
      // No retries, because the next scheduled run is soon.
      targets: [new FunctionTarget(this.live, { retryAttempts: 0 })],
    });
  }

  alarms(): Record<string, AlarmDefinition> {
    const options = { period: interval, statistic: Stats.SUM };
    const [calls, errors] = [this.metricInvocations(options), this.metricErrors(options)];
    return {
      ProbeFails: {
        severity: 'page',
        symptom: 'The probe has received no correct reply for 15 minutes',
        runbookEntry: 'probe-fails',
        metric: new MathExpression({
          expression: 'IF(calls > errors, 0, 1)',
          usingMetrics: { calls, errors },
          period: interval,
          label: 'no correct reply',
        }),
        threshold: 0,
        breachingPeriods: 3,
        missingDataIsBreaching: true,
      },
      ReportOpen: {
        severity: 'page',
        symptom: 'A report has been open for 20 hours',
        runbookEntry: 'report-open',
        // App stores require action within 24 hours. The period contains three probes, so the
        // metric has data even if two probes fail.
        metric: createLogMetric(metricsNamespace(this))('probe', 'open_report_seconds', {
          statistic: Stats.MAXIMUM,
        }).with({ period: Duration.minutes(15) }),
        threshold: Duration.hours(20).toSeconds(),
      },
    };
  }
}
