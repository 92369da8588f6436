import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { catalogBody, errorCatalog } from '../../shared/contract/errors.ts';
import { fixedHeaders } from '../../shared/contract/headers.ts';
import type { Stage } from '../stages.ts';
import { isOnlyCounted, refusedLabels, ruleGroups } from './managed-rules.ts';

/** Seconds over which requests are counted: the shortest that there is, so that whoever was refused is soon back. */
const windowSeconds = 60;

const { status } = errorCatalog.too_many_requests;

/** What the firewall itself answers does not know the request's id. */
const withoutId = 'firewall';

/**
 * A firewall before the API: so many requests a minute of one address, whatever they carry, and so many with one token;
 * and AWS's rules. Costs $5 a month, $1 for each of its six rules, and $0.60 per million requests. It takes some 1,000 of
 * the 1,500 capacity units that this price has in it.
 */
export function guard(
  scope: Construct,
  api: RestApi,
  errorsPage: string,
  stage: Stage,
  { requestsPerMinute }: NonNullable<Stage['firewall']>,
): void {
  const rules: Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>[] = [
    // The address is that of the connection: what a client says in X-Forwarded-For makes no difference.
    {
      name: 'RequestsOfOneAddress',
      action: tooMany(stage),
      statement: {
        rateBasedStatement: {
          limit: requestsPerMinute.ofOneAddress,
          evaluationWindowSec: windowSeconds,
          aggregateKeyType: 'IP',
        },
      },
    },
    {
      name: 'RequestsOfOneToken',
      action: tooMany(stage),
      statement: {
        rateBasedStatement: {
          limit: requestsPerMinute.ofOneToken,
          evaluationWindowSec: windowSeconds,
          aggregateKeyType: 'CUSTOM_KEYS',
          customKeys: [{ header: { name: 'Authorization', textTransformations: oneSpelling } }],
        },
      },
    },
    ...ruleGroups.map(({ name, rules: ofGroup }) => ({
      name,
      // What they refuse is decided below, by label: a rule that AWS adds tomorrow refuses nobody's message.
      overrideAction: { count: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name,
          // Counted ones do not keep those after them in the group from being looked at.
          ruleActionOverrides: Object.keys(ofGroup)
            .filter(isOnlyCounted)
            .map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
    })),
    {
      name: 'Attacks',
      // The gateway words it, as its response WAF_FILTERED.
      action: { block: {} },
      statement: {
        orStatement: {
          statements: refusedLabels.map((key) => ({
            labelMatchStatement: { scope: 'LABEL', key },
          })),
        },
      },
    },
  ];
  const acl = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visible('Firewall'),
    customResponseBodies: {
      tooMany: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify(
          catalogBody('too_many_requests', { requestId: withoutId, errorsPage }),
        ),
      },
    },
    rules: rules.map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visible(rule.name),
    })),
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** `bearer  x` is the same token as `Bearer x`. */
const oneSpelling = ['COMPRESS_WHITE_SPACE', 'LOWERCASE'].map((type, priority) => ({
  priority,
  type,
}));

/**
 * The firewall cannot read the request's origin. With several allowed ones it names any: what it says is no secret, and
 * browsers send this API no cookies, for which that would not do.
 */
const tooMany = ({ allowedOrigins: [origin = '*', ...others] }: Stage) => ({
  block: {
    customResponse: {
      responseCode: status,
      customResponseBodyKey: 'tooMany',
      responseHeaders: Object.entries({
        ...fixedHeaders,
        'Access-Control-Allow-Origin': others.length > 0 ? '*' : origin,
        'Request-Id': withoutId,
        // Who asks for nothing that long is let in again.
        'Retry-After': String(windowSeconds),
      }).map(([name, value]) => ({ name, value })),
    },
  },
});
