/**
 * Returns the time limit of calls to a service, in milliseconds. The local cloud sets a longer
 * limit for all services, because its servers share a busy machine with the functions.
 */
export const getServiceTimeout = (milliseconds: number): number =>
  Number(process.env.SERVICE_TIMEOUT_MILLISECONDS) || milliseconds;
