import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorCatalog, getErrorMessage } from '../../../shared/contract/errors.ts';
import type { Stage } from '../../stages.ts';
import { catalogTemplate, errorHeaders, errorTemplate, gatewayMessage } from './error-template.ts';

/**
 * Gateway responses and their catalog errors. For an unknown path or method, the gateway expects an
 * AWS signature, so errors about signatures become 404.
 */
const responses: [ResponseType, ErrorCode][] = [
  [ResponseType.UNAUTHORIZED, 'token_missing'],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found'],
  [ResponseType.INVALID_SIGNATURE, 'not_found'],
  [ResponseType.EXPIRED_TOKEN, 'not_found'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found'],
  [ResponseType.BAD_REQUEST_BODY, 'body_malformed'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'parameter_invalid'],
  [ResponseType.REQUEST_TOO_LARGE, 'body_too_large'],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'content_type_unsupported'],
  [ResponseType.THROTTLED, 'too_many_requests'],
  [ResponseType.QUOTA_EXCEEDED, 'too_many_requests'],
  [ResponseType.INVALID_API_KEY, 'not_allowed'],
  [ResponseType.WAF_FILTERED, 'not_allowed'],
  // The gateway also returns this error if the authorizer throws, times out or returns no policy.
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'unavailable'],
  [ResponseType.AUTHORIZER_FAILURE, 'unavailable'],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error'],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable'],
  [ResponseType.INTEGRATION_TIMEOUT, 'timeout'],
];

export function addGatewayResponses(api: RestApi, stage: Stage, errorsPage: string): void {
  for (const [type, code] of responses) {
    const { status } = errorCatalog[code];
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: errorHeaders(stage, status, code),
      templates: { 'application/json': catalogTemplate(errorsPage, code) },
    });
  }
  // The authorizer denies only invalid tokens, and returns the reason in its context.
  api.addGatewayResponse('ACCESS_DENIED', {
    type: ResponseType.ACCESS_DENIED,
    statusCode: '401',
    responseHeaders: errorHeaders(stage, 401),
    templates: {
      'application/json': errorTemplate(
        errorsPage,
        401,
        '$context.authorizer.code',
        '$context.authorizer.message',
      ),
    },
  });
  // Other errors keep their status. Only client errors keep the gateway's message.
  for (const [type, status, code, message] of [
    [ResponseType.DEFAULT_4XX, 400, 'request_invalid', gatewayMessage],
    [ResponseType.DEFAULT_5XX, 500, 'internal_error', getErrorMessage('internal_error')],
  ] as const) {
    api.addGatewayResponse(type.responseType, {
      type,
      responseHeaders: errorHeaders(stage, status),
      templates: { 'application/json': errorTemplate(errorsPage, status, code, message) },
    });
  }
}
