import { Validations } from 'aws-cdk-lib';
import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { errorCatalog } from '../../../shared/contract/errors.ts';
import type { Stage } from '../../stages.ts';
import { catalogTemplate, errorHeaders } from './error-template.ts';

const { status } = errorCatalog.not_found;
const mockReply = JSON.stringify({ statusCode: status });

/**
 * Adds a 404 reply for every method that the resource does not have. By default, the gateway
 * mistakes a bearer token on an unknown path for a malformed AWS signature and returns 403.
 */
export function addNotFoundMethod(resource: IResource, stage: Stage, errorsPage: string): void {
  const headers = withoutRequestHeaders(errorHeaders(stage, status));
  const method = resource.addMethod(
    'ANY',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: {
        'application/json': mockReply,
        'application/x-www-form-urlencoded': mockReply,
      },
      integrationResponses: [
        {
          statusCode: String(status),
          responseTemplates: { 'application/json': catalogTemplate(errorsPage, 'not_found') },
          responseParameters: mapKeys(headers, (value) => value),
        },
      ],
    }),
    {
      methodResponses: [
        { statusCode: String(status), responseParameters: mapKeys(headers, () => true) },
      ],
    },
  );
  Validations.of(method).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'All callers receive the same 404, which reveals nothing.',
  });
}

/**
 * Uses `*` instead of values from the request, because only gateway responses can copy such values.
 * If the stage allows several origins, this 404 therefore allows any origin. This is safe: the
 * reply contains no user data.
 */
const withoutRequestHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, mapped]) => [
      name,
      mapped.startsWith('method.request.') ? "'*'" : mapped,
    ]),
  );

const mapKeys = <Value>(headers: Record<string, string>, value: (mapped: string) => Value) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, mapped]) => [
      `method.response.header.${name}`,
      value(mapped),
    ]),
  );
