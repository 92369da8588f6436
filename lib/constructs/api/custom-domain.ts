import { CfnOutput } from 'aws-cdk-lib';
import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Domain } from '../../stages.ts';

/** Serves the API at a custom domain, where paths begin with `/v1` instead of the stage name. */
export function addCustomDomain(
  scope: Construct,
  api: RestApi,
  { name, certificateArn }: Domain,
): void {
  const domain = new DomainName(scope, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  domain.addBasePathMapping(api, { stage: api.deploymentStage });
  new CfnOutput(scope, 'DomainTarget', {
    value: domain.domainNameAliasDomainName,
    description: `Target of the CNAME or alias record of ${name}`,
  });
}
