import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { createPermissionCheck } from '../stack/lambda-permissions.ts';
import type { Stack } from '../stack/read-stack.ts';

const lambdaAuth = v.strictTuple([v.strictObject({ AuthType: v.literal('AWS_LAMBDA') })]);
const iamAuth = v.strictTuple([v.strictObject({ AuthType: v.literal('AWS_IAM') })]);

/** Supported authorization: a Lambda authorizer for clients, IAM for the stack's functions. */
const ApiProperties = v.strictObject({
  Name: v.string(),
  EventConfig: v.strictObject({
    AuthProviders: v.strictTuple([
      v.strictObject({
        AuthType: v.literal('AWS_LAMBDA'),
        LambdaAuthorizerConfig: v.strictObject({
          AuthorizerUri: v.string(),
          AuthorizerResultTtlInSeconds: v.literal(0),
          IdentityValidationExpression: v.optional(v.string(), '.*'),
        }),
      }),
      v.strictObject({ AuthType: v.literal('AWS_IAM') }),
    ]),
    ConnectionAuthModes: lambdaAuth,
    DefaultPublishAuthModes: iamAuth,
    DefaultSubscribeAuthModes: lambdaAuth,
  }),
  OwnerContact: v.optional(v.string()),
  Tags: v.optional(v.unknown()),
});

const NamespaceProperties = v.strictObject({
  ApiId: v.string(),
  Name: v.string(),
  HandlerConfigs: v.optional(v.strictObject({})),
  Tags: v.optional(v.unknown()),
});

export interface EventApi {
  id: string;
  arn: string;
  /** ARN of the authorizer function. */
  authorizer: string;
  /** Pattern that a token must match before the authorizer function is invoked. */
  tokenForm: RegExp;
  /** Channel namespaces: the first segments of channel paths. */
  namespaces: ReadonlySet<string>;
}

/**
 * Returns the stack's Event API, if any. Throws a Problem if there are several Event APIs, or if
 * the API lacks permission to invoke its authorizer.
 */
export function findEventApi(stack: Stack): EventApi | undefined {
  const [api, ...others] = stack.resources('AWS::AppSync::Api', ApiProperties);
  if (others.length > 0) throw new Problem('The local cloud supports only one Event API.');
  const namespaces = stack.resources('AWS::AppSync::ChannelNamespace', NamespaceProperties);
  if (!api) return undefined;
  const { ApiId: id = '', ApiArn: arn = '' } = api.attributes;
  const [{ LambdaAuthorizerConfig }] = api.properties.EventConfig.AuthProviders;
  const authorizer = LambdaAuthorizerConfig.AuthorizerUri;
  createPermissionCheck(stack, 'appsync.amazonaws.com')(authorizer, arn);
  return {
    id,
    arn,
    authorizer,
    tokenForm: new RegExp(LambdaAuthorizerConfig.IdentityValidationExpression, 's'),
    namespaces: new Set(
      namespaces
        .filter(({ properties }) => properties.ApiId === id)
        .map(({ properties }) => properties.Name),
    ),
  };
}
