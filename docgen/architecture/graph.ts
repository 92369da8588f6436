import type { Template } from '../../lib/synthesis/template.ts';
import { findReferences } from './references.ts';

/** Types of resources that are boxes of the picture, and what they are called. */
export const boxTypes = {
  'AWS::WAFv2::WebACL': 'firewall',
  'AWS::ApiGateway::RestApi': 'API Gateway',
  'AWS::Lambda::Function': 'function',
  'AWS::DynamoDB::GlobalTable': 'DynamoDB',
  'AWS::SQS::Queue': 'queue',
  'AWS::SNS::Topic': 'topic',
  'AWS::Events::Rule': 'schedule',
  'AWS::Cognito::UserPool': 'user pool',
  'AWS::CodeDeploy::Application': 'CodeDeploy',
} as const;
export type BoxType = keyof typeof boxTypes;

export interface Box {
  id: string;
  type: BoxType;
}

/** From box to box, by id; a table's stream and indexes count as boxes: `Table1234ABCD/gsi1`. */
export interface Arrow {
  from: string;
  to: string;
  says: string;
}

export interface Graph {
  boxes: Box[];
  arrows: Arrow[];
  /** Types of resources that are in the template, and are neither box nor arrow. */
  omittedTypes: string[];
}

type Properties = Record<string, unknown>;
type ArrowRule = [from: unknown, to: unknown, says: string];

/**
 * Types of resources that are arrows: from what one of their properties speaks of to what another
 * does.
 */
const arrowRules: Record<string, (one: Properties, id: string) => ArrowRule[]> = {
  'AWS::WAFv2::WebACLAssociation': (one) => [[one.WebACLArn, one.ResourceArn, 'lets through']],
  'AWS::ApiGateway::Method': (one) => [
    // An operation's caller has a token.
    [
      one.RestApiId,
      Object(one.Integration).Uri,
      one.AuthorizationType === 'NONE' ? 'calls for anybody' : 'calls',
    ],
  ],
  'AWS::ApiGateway::Authorizer': (one) => [[one.RestApiId, one.AuthorizerUri, 'shows the token']],
  'AWS::Lambda::EventSourceMapping': (one) => [
    [one.EventSourceArn, one.FunctionName, 'wakes'],
    [one.FunctionName, one.DestinationConfig, 'sends'],
  ],
  'AWS::Events::Rule': (one, id) => [[{ Ref: id }, one.Targets, String(one.ScheduleExpression)]],
  'AWS::CloudWatch::Alarm': (one) => [[[one.Dimensions, one.Metrics], one.AlarmActions, 'alarm']],
};

/**
 * Types that are read with others: how functions are called, who they are, and the gateway's paths.
 */
const parts = [
  'AWS::Lambda::Alias',
  'AWS::IAM::Role',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Stage',
];

/** What a template tells of who reaches whom, in its order. */
export function toGraph({ Resources }: Pick<Template, 'Resources'>): Graph {
  const entries = Object.entries(Resources);
  const boxes = entries.flatMap(([id, { Type }]) => (isBox(Type) ? [{ id, type: Type }] : []));
  const aliases = new Map(
    entries.flatMap(([id, { Type, Properties }]) => {
      if (Type === 'AWS::Lambda::Alias') return [[id, findReferences(Properties.FunctionName)[0]]];
      return Type === 'AWS::ApiGateway::RestApi' ? [[String(Properties.Name), id]] : [];
    }),
  );
  const findBoxes = (value: unknown) => {
    const ids = findReferences(value).map((id) => aliases.get(id) ?? id);
    return [...new Set(ids)].filter((id) => boxes.some((box) => box.id === id.split('/')[0]));
  };
  const arrows = entries.flatMap(([id, { Type, Properties }]) => {
    const all =
      Type === 'AWS::Lambda::Function'
        ? functionArrows(id, Properties, Resources)
        : (arrowRules[Type]?.(Properties, id) ?? []);
    return all.flatMap(([from, to, says]) =>
      findBoxes(from).flatMap((one) =>
        findBoxes(to).map((other) => ({ from: one, to: other, says })),
      ),
    );
  });
  const known = new Set([...Object.keys(boxTypes), ...Object.keys(arrowRules), ...parts]);
  const omittedTypes = [...new Set(entries.map(([, { Type }]) => Type))].filter(
    (type) => !known.has(type),
  );
  return { boxes, arrows, omittedTypes };
}

const isBox = (type: string): type is BoxType => Object.hasOwn(boxTypes, type);

/** What the function's role may do, and whom its variables name. */
function functionArrows(id: string, one: Properties, all: Template['Resources']): ArrowRule[] {
  const self = { Ref: id };
  const role = all[findReferences(one.Role)[0] ?? '']?.Properties ?? {};
  const statements = listOf(role.Policies).flatMap(({ PolicyDocument }) =>
    listOf(Object(PolicyDocument).Statement),
  );
  const variables = Object(Object(one.Environment).Variables);
  return [
    ...statements.flatMap(({ Action, Resource }) =>
      verbsOf([Action].flat().map(String)).map((verb): ArrowRule => [self, Resource, verb]),
    ),
    [self, variables.TOKEN_ISSUER, 'trusts'],
    [self, variables.API_URL, 'asks'],
  ];
}

const listOf = (value: unknown): Properties[] =>
  Array.isArray(value) ? value.map((one) => Object(one)) : [];

/** In a word what calls of these names do. Reading a stream or a queue is the mapping's to tell. */
function verbsOf(actions: string[]): string[] {
  const verbs = {
    reads: /^dynamodb:(BatchGetItem|GetItem|Query|ConditionCheckItem)$/,
    writes: /^dynamodb:(BatchWriteItem|PutItem|UpdateItem|DeleteItem)$/,
    sends: /^sqs:SendMessage$/,
    reports: /^codedeploy:/,
  };
  return Object.entries(verbs).flatMap(([verb, calls]) =>
    actions.some((action) => calls.test(action)) ? [verb] : [],
  );
}
