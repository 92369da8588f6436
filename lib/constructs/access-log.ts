import {
  AccessLogFormat,
  type IAccessLogDestination,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { StageLog } from './stage-log.ts';

/**
 * One line for each request, also for those that no function hears of: `request_id` is the reply's Request-Id and that of
 * the function's own line. Nothing of the query, the headers or the token; the path is the route's, without ids.
 */
const facts = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  reply_bytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
  function_milliseconds: '$context.integrationLatency',
  function_error: '$context.integrationErrorMessage',
  authorizer_error: '$context.authorizer.error',
  refusal: '$context.error.responseType',
  firewall: '$context.wafResponseCode',
  source_ip: '$context.identity.sourceIp',
  trace: '$context.xrayTraceId',
};

/** Where and how the gateway logs requests. */
export const accessLog = (
  scope: Construct,
  stage: Stage,
): { accessLogDestination: IAccessLogDestination; accessLogFormat: AccessLogFormat } => ({
  accessLogDestination: new LogGroupLogDestination(new StageLog(scope, 'AccessLog', stage)),
  accessLogFormat: AccessLogFormat.custom(JSON.stringify(facts)),
});
