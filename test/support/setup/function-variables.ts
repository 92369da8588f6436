/**
 * Environment variables that the stack sets for functions. Tests and benchmarks set them for
 * handlers that run outside the local cloud.
 */
export const functionVariables = {
  ALLOWED_ORIGINS: '*',
  FEEDS: 'pl7kq',
  LIVE_URL: 'wss://pl7kq.appsync-realtime-api.eu-central-1.amazonaws.com/event/realtime',
  LIVE_HOST: 'pl7kq.appsync-api.eu-central-1.amazonaws.com',
  FILES_URL: 'https://files.s3.eu-central-1.amazonaws.com',
  SERVES_UNSCANNED: 'true',
  METRICS_NAMESPACE: 'messaging-test',
};
