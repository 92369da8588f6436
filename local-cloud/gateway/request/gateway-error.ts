export const defaultStatuses = {
  ACCESS_DENIED: 403,
  API_CONFIGURATION_ERROR: 500,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  AUTHORIZER_FAILURE: 500,
  BAD_REQUEST_BODY: 400,
  BAD_REQUEST_PARAMETERS: 400,
  DEFAULT_4XX: 400,
  DEFAULT_5XX: 500,
  EXPIRED_TOKEN: 403,
  INTEGRATION_FAILURE: 504,
  INTEGRATION_TIMEOUT: 504,
  INVALID_API_KEY: 403,
  INVALID_SIGNATURE: 403,
  MISSING_AUTHENTICATION_TOKEN: 403,
  QUOTA_EXCEEDED: 429,
  REQUEST_TOO_LARGE: 413,
  RESOURCE_NOT_FOUND: 404,
  THROTTLED: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED_MEDIA_TYPE: 415,
  WAF_FILTERED: 403,
} as const;

export type ResponseType = keyof typeof defaultStatuses;

export class GatewayError extends Error {
  readonly type: ResponseType;
  readonly status: number;
  /** Message to the client; undefined if the gateway returns no message. */
  readonly publicMessage: string | undefined;

  constructor(
    type: ResponseType,
    publicMessage: string | undefined,
    status: number = defaultStatuses[type],
  ) {
    super(publicMessage ?? type);
    this.publicMessage = publicMessage;
    this.type = type;
    this.status = status;
  }
}

/**
 * Creates the error for an authorizer that times out, returns no valid policy, or throws any error
 * except `Unauthorized`. The gateway returns these authorizer errors without a message.
 */
export const createAuthorizerError = () =>
  new GatewayError('AUTHORIZER_CONFIGURATION_ERROR', undefined);

export const createInternalServerError = (status = 500) =>
  new GatewayError('DEFAULT_5XX', 'Internal server error', status);
