import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { createCatalogErrorBody, errorCatalog } from '../../../shared/contract/errors.ts';
import { fixedHeaders } from '../../../shared/contract/headers.ts';
import type { Stage } from '../../stages.ts';
import type { PushApi } from '../push-api.ts';
import { blockedLabels, isCountOnly, ruleGroups } from './managed-rules.ts';

/** Counting window in seconds: the shortest that AWS allows, so that blocks end soon. */
const windowSeconds = 60;

const { status } = errorCatalog.too_many_requests;

/** Placeholder for the request id, which the firewall's replies cannot contain. */
const firewallRequestId = 'firewall';

export interface FirewallProps {
  stage: Stage;
  limits: NonNullable<Stage['firewall']>;
  api: RestApi;
  /** Push API; undefined in a stage without events. */
  push: PushApi | undefined;
  errorsPage: string;
}

type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

/**
 * Limits requests per minute to the API and the push API, by address and by token. Applies AWS's
 * managed rules. Costs $5 a month, $1 a month for each of at most seven rules, and $0.60 per
 * million requests. Uses about 1,000 of the 1,500 included web ACL capacity units.
 */
export function addFirewall(scope: Construct, props: FirewallProps): void {
  const { stage, limits, api, push, errorsPage } = props;
  const rules = [
    ...(push ? [publishingRule(push)] : []),
    ...rateLimitRules(stage, limits),
    ...managedRules,
    attackRule,
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
  const protectedResources = {
    Firewall: api.deploymentStage.stageArn,
    ...(push && { Push: push.apiArn }),
  };
  for (const [name, resourceArn] of Object.entries(protectedResources)) {
    new CfnWebACLAssociation(scope, `${name}Association`, { resourceArn, webAclArn: acl.attrArn });
  }
}

/**
 * Admits publish requests, which AppSync authorizes by signature without invoking a function.
 * Workers may share an AWS address. The address's reputation and request count must not block the
 * workers. Does not match listeners' GET requests, which go to another host name.
 */
const publishingRule = ({ httpDns }: PushApi): Rule => ({
  name: 'Publishing',
  action: { allow: {} },
  statement: {
    andStatement: {
      statements: [
        matches({ singleHeader: { Name: 'host' } }, httpDns),
        matches({ method: {} }, 'POST'),
      ],
    },
  },
});

const matches = (
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  searchString: string,
): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch,
    positionalConstraint: 'EXACTLY',
    searchString,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

const rateLimitRules = (
  stage: Stage,
  { requestsPerMinute }: NonNullable<Stage['firewall']>,
): Rule[] => {
  const rateLimit = (
    name: string,
    statement: Omit<CfnWebACL.RateBasedStatementProperty, 'evaluationWindowSec'>,
  ) => ({
    name,
    action: rateLimitAction(stage),
    statement: { rateBasedStatement: { evaluationWindowSec: windowSeconds, ...statement } },
  });
  return [
    // Uses the address of the connection, because clients can set X-Forwarded-For.
    rateLimit('RequestsOfOneAddress', {
      limit: requestsPerMinute.perAddress,
      aggregateKeyType: 'IP',
    }),
    // Does not count handshakes of the push API, because their token is in the subprotocol.
    rateLimit('RequestsOfOneToken', {
      limit: requestsPerMinute.perToken,
      aggregateKeyType: 'CUSTOM_KEYS',
      customKeys: [
        { header: { name: 'Authorization', textTransformations: tokenTransformations } },
      ],
    }),
  ];
};

const managedRules: Rule[] = ruleGroups.map(({ name, rules }) => ({
  name,
  // Managed rules count requests but do not block them. `attackRule` blocks by label, so a rule
  // that AWS adds later blocks nothing.
  overrideAction: { count: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      // A rule that only counts requests does not stop the evaluation of later rules.
      ruleActionOverrides: Object.keys(rules)
        .filter(isCountOnly)
        .map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
}));

const attackRule: Rule = {
  name: 'Attacks',
  // The gateway returns its WAF_FILTERED gateway response.
  action: { block: {} },
  statement: {
    orStatement: {
      statements: blockedLabels.map((key) => ({ labelMatchStatement: { scope: 'LABEL', key } })),
    },
  },
};

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** With these transformations, `bearer x` and `Bearer x` count as the same token. */
const tokenTransformations = ['COMPRESS_WHITE_SPACE', 'LOWERCASE'].map((type, priority) => ({
  priority,
  type,
}));

/**
 * Returns the action for requests above a limit. The firewall cannot copy the request's origin, so
 * the reply allows any origin if the stage allows several. Allowing any origin is safe: the reply
 * contains no user data, and browsers send this API no cookies.
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
        // A client that sends no requests for this long is admitted again.
        'Retry-After': String(windowSeconds),
      }).map(([name, value]) => ({ name, value })),
    },
  },
});
