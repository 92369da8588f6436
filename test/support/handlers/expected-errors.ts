/** The 400 error of a parameter that breaks a rule. */
export const invalidError = (param: string, rule: string) => ({
  status: 400,
  type: 'invalid_request',
  code: 'parameter_invalid',
  param,
  message: `'${param}' ${rule}.`,
});

/** The 403 error of a participant without the right. */
export const notAllowedError = (message: string, param: string | null = null) => ({
  status: 403,
  type: 'invalid_request',
  code: 'not_allowed',
  param,
  message,
});

/** The 404 error that equals that of a nonexistent id. */
export const notFoundError = (param: string) => ({
  status: 404,
  type: 'invalid_request',
  code: 'not_found',
  param,
  message: `Nothing that you can access has the id given as '${param}'.`,
});
