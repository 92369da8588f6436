export const invalidError = (param: string, rule: string) => ({
  status: 400,
  type: 'invalid_request',
  code: 'parameter_invalid',
  param,
  message: `'${param}' ${rule}.`,
});

export const notAllowedError = (message: string, param: string | null = null) => ({
  status: 403,
  type: 'invalid_request',
  code: 'not_allowed',
  param,
  message,
});

/** Returns the 404 error, which is the same for inaccessible and nonexistent ids. */
export const notFoundError = (param: string) => ({
  status: 404,
  type: 'invalid_request',
  code: 'not_found',
  param,
  message: `No resource that you can access has the id in '${param}'.`,
});
