export const partition = 'aws';
export const region = 'us-east-1';
export const accountId = '000000000000';

export const arn = (service: string, resource: string) =>
  `arn:${partition}:${service}:${region}:${accountId}:${resource}`;

/** Returns an IAM ARN, which has no region. */
export const iamArn = (resource: string) => `arn:${partition}:iam::${accountId}:${resource}`;

/** Returns the function's name without version or alias: local functions have only one version. */
export const parseFunctionName = (nameOrArn: string): string | undefined =>
  nameOrArn.split(':')[nameOrArn.startsWith('arn:') ? 6 : 0];
