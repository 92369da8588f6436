import type { Template } from '../../lib/synthesis/template.ts';
import { findReferences } from './references.ts';

/** Resource types drawn as boxes, with their labels. */
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

/** A table's stream and indexes have ids such as `Table1234ABCD/gsi1`. */
export interface Arrow {
  from: string;
  to: string;
  label: string;
}

export interface Graph {
  boxes: Box[];
  arrows: Arrow[];
  omittedTypes: string[];
}

type Properties = Record<string, unknown>;
type ArrowRule = [from: unknown, to: unknown, label: string];

/**
 * Rules for a resource's arrows, by resource type. Most arrows connect two resources that the
 * properties reference.
 */
const arrowRules: Record<string, (one: Properties, id: string) => ArrowRule[]> = {
  'AWS::WAFv2::WebACLAssociation': (one) => [[one.WebACLArn, one.ResourceArn, 'forwards']],
  'AWS::ApiGateway::Method': (one) => [
    [
      one.RestApiId,
      Object(one.Integration).Uri,
      one.AuthorizationType === 'NONE' ? 'calls without a token' : 'calls',
    ],
  ],
  'AWS::ApiGateway::Authorizer': (one) => [
    [one.RestApiId, one.AuthorizerUri, 'validates the token'],
  ],
  'AWS::Lambda::EventSourceMapping': (one) => [
    [one.EventSourceArn, one.FunctionName, 'invokes'],
    [one.FunctionName, one.DestinationConfig, 'sends'],
  ],
  'AWS::Events::Rule': (one, id) => [
    [{ Ref: id }, one.Targets, String(one.ScheduleExpression ?? 'sends events')],
  ],
  'AWS::CloudWatch::Alarm': (one) => [[[one.Dimensions, one.Metrics], one.AlarmActions, 'alarm']],
};

/** Types drawn as part of other boxes. */
const parts = [
  'AWS::Lambda::Alias',
  'AWS::IAM::Role',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Stage',
];

/** Returns the graph in the template's order. */
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
    return all.flatMap(([from, to, label]) =>
      findBoxes(from).flatMap((one) =>
        findBoxes(to).map((other) => ({ from: one, to: other, label })),
      ),
    );
  });
  const drawnTypes = new Set([...Object.keys(boxTypes), ...Object.keys(arrowRules), ...parts]);
  const omittedTypes = [...new Set(entries.map(([, { Type }]) => Type))].filter(
    (type) => !drawnTypes.has(type),
  );
  return { boxes, arrows, omittedTypes };
}

const isBox = (type: string): type is BoxType => Object.hasOwn(boxTypes, type);

/** Returns the arrows that a function's role permissions and environment variables imply. */
function functionArrows(id: string, one: Properties, all: Template['Resources']): ArrowRule[] {
  const functionReference = { Ref: id };
  const role = all[findReferences(one.Role)[0] ?? '']?.Properties ?? {};
  const statements = toList(role.Policies).flatMap(({ PolicyDocument }) =>
    toList(Object(PolicyDocument).Statement),
  );
  const variables = Object(Object(one.Environment).Variables);
  return [
    ...statements.flatMap(({ Action, Resource }) =>
      toVerbs([Action].flat().map(String)).map(
        (verb): ArrowRule => [functionReference, Resource, verb],
      ),
    ),
    [functionReference, variables.TOKEN_ISSUER, 'trusts'],
    [functionReference, variables.API_URL, 'probes'],
  ];
}

const toList = (value: unknown): Properties[] =>
  Array.isArray(value) ? value.map((one) => Object(one)) : [];

/**
 * Returns the labels for actions. Reads of streams and queues have no label, because event source
 * mappings already imply them.
 */
function toVerbs(actions: string[]): string[] {
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
