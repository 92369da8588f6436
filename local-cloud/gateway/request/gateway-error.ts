/** Default HTTP status of each gateway response type. */
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

/** An error that the gateway itself returns. */
export class GatewayError extends Error {
  readonly type: ResponseType;
  /** HTTP status; by default, the type's default status. */
  readonly status: number;
  /** Message that the gateway returns; undefined if it returns none. */
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
 * except `Unauthorized`. In all three cases, the gateway returns a configuration error without a
 * message.
 */
export const createAuthorizerError = () =>
  new GatewayError('AUTHORIZER_CONFIGURATION_ERROR', undefined);

/** Creates the error for internal faults. */
export const createInternalServerError = (status = 500) =>
  new GatewayError('DEFAULT_5XX', 'Internal server error', status);
