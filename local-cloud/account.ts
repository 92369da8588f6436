/** The AWS account and region that the local cloud plays. */
export const partition = 'aws';
export const region = 'us-east-1';
export const accountId = '000000000000';

export const arn = (service: string, resource: string) =>
  `arn:${partition}:${service}:${region}:${accountId}:${resource}`;

/** IAM is not regional. */
export const iamArn = (resource: string) => `arn:${partition}:iam::${accountId}:${resource}`;

/** The name in a function's name or ARN, whichever of its versions or aliases that says: here there is one of each. */
export const functionNameIn = (nameOrArn: string): string | undefined =>
  nameOrArn.split(':')[nameOrArn.startsWith('arn:') ? 6 : 0];
