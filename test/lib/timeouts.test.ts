import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { getFunctions } from '../../local-cloud/functions/function-definition.ts';
import { readStack } from '../../local-cloud/stack/read-stack.ts';
import { operations } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';

/** API Gateway's timeout, unless a method sets a shorter timeout. */
const gatewayMilliseconds = 29_000;

const Method = v.object({
  HttpMethod: v.string(),
  Integration: v.object({
    Type: v.string(),
    TimeoutInMillis: v.optional(v.number(), gatewayMilliseconds),
    Uri: v.optional(v.string(), ''),
  }),
});
const Authorizer = v.object({ AuthorizerUri: v.string() });

test("The gateway's timeout exceeds the time limit of each function", async () => {
  const { stackName, template, directory } = await readAssembly(env('TEST_ASSEMBLY'));
  const parameters = Object.keys(template.Parameters).map((name) => [name, 'any']);
  const stack = readStack(stackName, template, Object.fromEntries(parameters));
  const functions = getFunctions(stack, directory);
  /** Reports whether a URI invokes the function, directly or through an alias (`:`). */
  const isIn = (uri: string, arn: string) =>
    [`/${arn}/`, `/${arn}:`].some((one) => uri.includes(one));
  const millisecondsOf = (uri: string) =>
    (functions.find(({ arn }) => isIn(uri, arn))?.timeoutSeconds ?? Number.NaN) * 1000;

  const integrations = stack
    .resources('AWS::ApiGateway::Method', Method)
    .map(({ properties: { Integration } }) => Integration)
    .filter(({ Type }) => Type === 'AWS_PROXY');
  // The reference has six methods: three paths with two methods each.
  expect(integrations).toHaveLength(operations.length + 6);
  for (const { Uri, TimeoutInMillis } of integrations) {
    expect(millisecondsOf(Uri)).toBeLessThan(TimeoutInMillis);
  }
  const authorizers = stack.resources('AWS::ApiGateway::Authorizer', Authorizer);
  expect(authorizers).toHaveLength(1);
  for (const { properties } of authorizers) {
    expect(millisecondsOf(properties.AuthorizerUri)).toBeLessThan(gatewayMilliseconds);
  }
});
