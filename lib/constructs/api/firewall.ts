import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { createCatalogErrorBody, errorCatalog } from '../../../shared/contract/errors.ts';
import { fixedHeaders } from '../../../shared/contract/headers.ts';
import type { Stage } from '../../stages.ts';
import { blockedLabels, isCountOnly, ruleGroups } from './managed-rules.ts';

/**
 * Seconds over which requests are counted: the minimum, so that a refused client can soon return.
 */
const windowSeconds = 60;

const { status } = errorCatalog.too_many_requests;

/** Replies of the firewall do not contain the request id. */
const firewallRequestId = 'firewall';

/**
 * Adds a firewall to the API, with limits of requests per minute for an address and for a token,
 * and AWS's managed rules. Costs $5 a month, $1 per rule (six), and $0.60 per million requests.
 * Uses about 1,000 of the 1,500 included capacity units.
 */
export function addFirewall(
  scope: Construct,
  api: RestApi,
  errorsPage: string,
  stage: Stage,
  { requestsPerMinute }: NonNullable<Stage['firewall']>,
): void {
  const rules: Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>[] = [
    // Uses the address of the connection: X-Forwarded-For is set by the client.
    {
      name: 'RequestsOfOneAddress',
      action: rateLimitAction(stage),
      statement: {
        rateBasedStatement: {
          limit: requestsPerMinute.perAddress,
          evaluationWindowSec: windowSeconds,
          aggregateKeyType: 'IP',
        },
      },
    },
    {
      name: 'RequestsOfOneToken',
      action: rateLimitAction(stage),
      statement: {
        rateBasedStatement: {
          limit: requestsPerMinute.perToken,
          evaluationWindowSec: windowSeconds,
          aggregateKeyType: 'CUSTOM_KEYS',
          customKeys: [{ header: { name: 'Authorization', textTransformations: oneSpelling } }],
        },
      },
    },
    ...ruleGroups.map(({ name, rules: ofGroup }) => ({
      name,
      // Managed rules only count. The rules below block by label, so a rule that AWS adds later
      // blocks nothing.
      overrideAction: { count: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name,
          // Counting rules do not stop the evaluation of the rules after them.
          ruleActionOverrides: Object.keys(ofGroup)
            .filter(isCountOnly)
            .map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
    })),
    {
      name: 'Attacks',
      // The gateway words the reply: its response WAF_FILTERED.
      action: { block: {} },
      statement: {
        orStatement: {
          statements: blockedLabels.map((key) => ({
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
          createCatalogErrorBody('too_many_requests', { requestId: firewallRequestId, errorsPage }),
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

/** `bearer x` is the same token as `Bearer x`. */
const oneSpelling = ['COMPRESS_WHITE_SPACE', 'LOWERCASE'].map((type, priority) => ({
  priority,
  type,
}));

/**
 * The firewall cannot read the request's origin. With several allowed origins its reply allows any:
 * the reply is not secret, and browsers send this API no cookies.
 */
const rateLimitAction = ({ allowedOrigins: [origin = '*', ...others] }: Stage) => ({
  block: {
    customResponse: {
      responseCode: status,
      customResponseBodyKey: 'tooMany',
      responseHeaders: Object.entries({
        ...fixedHeaders,
        'Access-Control-Allow-Origin': others.length > 0 ? '*' : origin,
        'Request-Id': firewallRequestId,
        // A client that sends nothing for this time is admitted again.
        'Retry-After': String(windowSeconds),
      }).map(([name, value]) => ({ name, value })),
    },
  },
});
