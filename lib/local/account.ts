/** The AWS account and region that the local cloud plays. */
export const partition = 'aws';
export const region = 'us-east-1';
export const accountId = '000000000000';

export const arn = (service: string, resource: string) =>
  `arn:${partition}:${service}:${region}:${accountId}:${resource}`;

/** IAM is not regional. */
export const iamArn = (resource: string) => `arn:${partition}:iam::${accountId}:${resource}`;
