import {
  AccessLogFormat,
  type IAccessLogDestination,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { StageLog } from '../stage-log.ts';

/**
 * Fields of the access log, which has one line per request, including requests that reach no
 * function. `request_id` equals the `request_id` in the function's log line and, except in the
 * firewall's replies, the reply's Request-Id. `route` is the path template, without ids. The log
 * contains no query strings, headers or tokens.
 */
const logFields = {
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

/** Returns the access log settings of the gateway's stage. */
export const accessLog = (
  scope: Construct,
  stage: Stage,
): { accessLogDestination: IAccessLogDestination; accessLogFormat: AccessLogFormat } => ({
  accessLogDestination: new LogGroupLogDestination(new StageLog(scope, 'AccessLog', stage)),
  accessLogFormat: AccessLogFormat.custom(JSON.stringify(logFields)),
});
