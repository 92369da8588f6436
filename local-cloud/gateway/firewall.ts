import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Stack } from '../stack/read-stack.ts';
import { type GatewayReply, type GatewayRequest, getHeader } from './request/gateway-request.ts';
import { type Relocate, withoutRelocation } from './request/relocate.ts';

const transformations = {
  NONE: (text: string) => text,
  LOWERCASE: (text: string) => text.toLowerCase(),
  COMPRESS_WHITE_SPACE: (text: string) => text.replace(/\s+/g, ' '),
};

const window = { EvaluationWindowSec: v.optional(v.picklist([60, 120, 300, 600]), 300) };
const limit = { Limit: v.pipe(v.number(), v.minValue(10)) };

const RateBasedStatement = v.variant('AggregateKeyType', [
  v.strictObject({ AggregateKeyType: v.literal('IP'), ...limit, ...window }),
  v.strictObject({
    AggregateKeyType: v.literal('CUSTOM_KEYS'),
    ...limit,
    ...window,
    CustomKeys: v.tuple([
      v.strictObject({
        Header: v.strictObject({
          Name: v.string(),
          TextTransformations: v.array(
            v.strictObject({
              Priority: v.number(),
              Type: v.picklist(['NONE', 'LOWERCASE', 'COMPRESS_WHITE_SPACE']),
            }),
          ),
        }),
      }),
    ]),
  }),
]);
type RateBasedStatement = v.InferOutput<typeof RateBasedStatement>;

const Blocks = v.strictObject({
  Block: v.strictObject({
    CustomResponse: v.strictObject({
      CustomResponseBodyKey: v.string(),
      ResponseCode: v.number(),
      ResponseHeaders: v.array(v.strictObject({ Name: v.string(), Value: v.string() })),
    }),
  }),
});

/**
 * Rules that are not rate-based are ignored: they need data that only AWS has, or concern the push
 * API.
 */
const Rule = v.object({ Name: v.string(), Priority: v.number(), Statement: v.looseObject({}) });
const RateBasedRule = v.object({
  ...Rule.entries,
  Action: Blocks,
  Statement: v.strictObject({ RateBasedStatement }),
});

const WebAclProperties = v.object({
  CustomResponseBodies: v.optional(
    v.record(v.string(), v.strictObject({ Content: v.string(), ContentType: v.string() })),
    {},
  ),
  Rules: v.array(v.union([RateBasedRule, Rule])),
});
type WebAcl = v.InferOutput<typeof WebAclProperties>;

/** Returns the reply if the request is blocked, or `undefined` if it is allowed. */
export type Firewall = (request: GatewayRequest) => GatewayReply | undefined;

/**
 * Creates a firewall from the rate-based rules of the stack's web ACL. The firewall's counts are
 * exact; on AWS, counts lag by several seconds.
 */
export function createFirewall(
  stack: Stack,
  {
    relocate = withoutRelocation,
    now = Date.now,
  }: { relocate?: Relocate; now?: () => number } = {},
): Firewall {
  const rules = stack.resources('AWS::WAFv2::WebACL', WebAclProperties).flatMap(({ properties }) =>
    properties.Rules.toSorted((a, b) => a.Priority - b.Priority)
      .filter((rule) => 'RateBasedStatement' in rule.Statement)
      .map((rule) => createRateRule(rule, properties, { relocate, now })),
  );
  return (request) => {
    for (const rule of rules) {
      const reply = rule(request);
      if (reply) return reply;
    }
    return undefined;
  };
}

function createRateRule(
  rule: WebAcl['Rules'][number],
  acl: WebAcl,
  { relocate, now }: { relocate: Relocate; now: () => number },
): Firewall {
  const { Action, Statement } = v.parse(RateBasedRule, rule);
  const { CustomResponseBodyKey, ResponseCode, ResponseHeaders } = Action.Block.CustomResponse;
  const content = acl.CustomResponseBodies[CustomResponseBodyKey];
  if (!content) throw new Problem(`The firewall has no response body ${CustomResponseBodyKey}`);
  const { Limit, EvaluationWindowSec } = Statement.RateBasedStatement;
  const reply: GatewayReply = {
    status: ResponseCode,
    headers: [
      ['Content-Type', content.ContentType.toLowerCase().replace('_', '/')],
      ...ResponseHeaders.map(({ Name, Value }) => [Name, Value] as const),
    ],
    body: relocate(content.Content),
  };
  /**
   * Timestamps of requests by aggregate key, in milliseconds since 1970. Includes blocked requests.
   */
  const requestTimes = new Map<string, number[]>();
  return (request) => {
    const key = getAggregateKey(Statement.RateBasedStatement, request);
    if (key === undefined) return undefined;
    const since = now() - EvaluationWindowSec * 1000;
    const times = (requestTimes.get(key) ?? []).filter((time) => time > since);
    requestTimes.set(key, [...times, now()]);
    return times.length < Limit ? undefined : reply;
  };
}

/**
 * Returns the address or header by which the rule counts the request; `undefined` if the request
 * lacks the header.
 */
function getAggregateKey(
  statement: RateBasedStatement,
  request: GatewayRequest,
): string | undefined {
  if (statement.AggregateKeyType === 'IP') return request.sourceIp;
  const [{ Header }] = statement.CustomKeys;
  return Header.TextTransformations.toSorted((a, b) => a.Priority - b.Priority).reduce(
    (text: string | undefined, { Type }) => text && transformations[Type](text),
    getHeader(request, Header.Name),
  );
}
