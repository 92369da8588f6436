import { Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  CfnRouteTable,
  CfnSecurityGroup,
  CfnSubnet,
  CfnSubnetRouteTableAssociation,
  CfnVPC,
  CfnVPCEndpoint,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FileCall } from '../../shared/contract/operation.ts';
import type { FileBucket } from './file-bucket.ts';

/** Address ranges of the subnets. Functions still run if one of the two zones fails. */
const subnetRanges = ['10.0.0.0/25', '10.0.0.128/25'];

/**
 * VPC whose only outbound route leads to S3, through an endpoint that allows only the given calls
 * on the bucket. The VPC has no internet gateway. Lambda sends a function's logs, traces and failed
 * events through another network.
 *
 * @see https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-s3.html
 */
export class IsolatedNetwork extends Construct {
  private readonly subnetIds: string[];
  private readonly securityGroupIds: string[];

  constructor(scope: Construct, id: string, bucket: FileBucket, calls: readonly FileCall[]) {
    super(scope, id);
    const vpc = new CfnVPC(this, 'Network', { cidrBlock: '10.0.0.0/24', enableDnsSupport: true });
    const vpcId = vpc.ref;
    const routes = new CfnRouteTable(this, 'Routes', { vpcId });
    this.subnetIds = subnetRanges.map((cidrBlock, n) => {
      const availabilityZone = Fn.select(n, Fn.getAzs());
      const subnet = new CfnSubnet(this, `Subnet${n}`, { vpcId, cidrBlock, availabilityZone });
      new CfnSubnetRouteTableAssociation(this, `Route${n}`, {
        routeTableId: routes.ref,
        subnetId: subnet.ref,
      });
      return subnet.ref;
    });
    new CfnVPCEndpoint(this, 'Bucket', {
      vpcId,
      vpcEndpointType: 'Gateway',
      serviceName: `com.amazonaws.${Stack.of(this).region}.s3`,
      routeTableIds: [routes.ref],
      policyDocument: new PolicyDocument({
        statements: [
          new PolicyStatement({
            principals: [new AnyPrincipal()],
            actions: calls.map((call) => `s3:${call}`),
            resources: [bucket.bucketArn, bucket.arnForObjects('*')],
          }),
        ],
      }),
    });
    const group = new CfnSecurityGroup(this, 'Group', {
      vpcId,
      groupDescription: 'TLS connections to S3, and no others',
      securityGroupEgress: [
        { ipProtocol: 'tcp', fromPort: 443, toPort: 443, cidrIp: '0.0.0.0/0', description: 'S3' },
      ],
    });
    this.securityGroupIds = [group.attrGroupId];
    Validations.of(vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason:
        'Only S3 is reachable. In stages that retain their data, the access log of the bucket records the requests.',
    });
  }

  /** Confines a function to this network. */
  attach({ node }: LambdaFunction): void {
    const { defaultChild } = node;
    if (!(defaultChild instanceof CfnFunction))
      throw new Error('The function has no CfnFunction child.');
    const { subnetIds, securityGroupIds } = this;
    defaultChild.vpcConfig = { subnetIds, securityGroupIds };
  }
}
