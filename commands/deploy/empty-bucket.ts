import {
  type CloudFormationClient,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';

export async function findBuckets(
  client: CloudFormationClient,
  StackName: string,
): Promise<string[]> {
  const names: string[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const resource of page.StackResourceSummaries ?? []) {
      const { ResourceType, PhysicalResourceId, ResourceStatus } = resource;
      const isBucket = ResourceType === 'AWS::S3::Bucket' && ResourceStatus !== 'DELETE_COMPLETE';
      if (isBucket && PhysicalResourceId) names.push(PhysicalResourceId);
    }
  }
  return names;
}

/** Deletes all objects in a bucket, because CloudFormation deletes only empty buckets. */
export async function emptyBucket(client: S3Client, Bucket: string): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : { Key }));
    if (Objects.length === 0) continue;
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await client.send(command);
    const [failed] = Errors;
    if (failed) throw new Error(`Could not delete ${failed.Key} from ${Bucket}: ${failed.Message}`);
  }
}
