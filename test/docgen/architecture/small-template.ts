const ref = (id: string) => ({ Ref: id });
const arn = (id: string, name = 'Arn') => ({ 'Fn::GetAtt': [id, name] });

const lambda = (role: string, Variables: Record<string, unknown> = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Role: arn(role), Environment: { Variables } },
});
const alias = (id: string) => ({
  Type: 'AWS::Lambda::Alias',
  Properties: { FunctionName: ref(id), Name: 'live' },
});
const role = (...Statement: { Action: string | string[]; Resource: unknown }[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyDocument: { Statement } }] },
});
const method = (id: string) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: ref('Api'),
    Integration: { Uri: { 'Fn::Join': ['', ['arn:', ref(id), '/invocations']] } },
  },
});

const reads = { Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: arn('Table0A1B2C3D') };
const writes = { Action: 'dynamodb:PutItem', Resource: arn('Table0A1B2C3D') };
const index = { 'Fn::Join': ['', [arn('Table0A1B2C3D'), '/index/gsi1']] };

export const smallTemplate = {
  Resources: {
    Firewall: { Type: 'AWS::WAFv2::WebACL', Properties: {} },
    AtTheApi: {
      Type: 'AWS::WAFv2::WebACLAssociation',
      Properties: { WebACLArn: arn('Firewall'), ResourceArn: ref('Api') },
    },
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'messaging-small' } },
    Send: lambda('WriterRole'),
    SendLive: alias('Send'),
    Change: lambda('WriterRole'),
    ChangeLive: alias('Change'),
    List: lambda('ListerRole'),
    ListLive: alias('List'),
    WriterRole: role(reads, writes, { Action: 'logs:PutLogEvents', Resource: arn('Log') }),
    ListerRole: role(reads, { Action: 'dynamodb:Query', Resource: index }),
    SendMethod: method('SendLive'),
    ChangeMethod: method('ChangeLive'),
    ListMethod: method('ListLive'),
    Table0A1B2C3D: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    Purge: lambda('PurgeRole'),
    PurgeRole: role(reads, { Action: 'sqs:SendMessage', Resource: arn('Failures') }),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: arn('Table0A1B2C3D', 'StreamArn'),
        FunctionName: ref('Purge'),
        DestinationConfig: { OnFailure: { Destination: arn('Failures') } },
      },
    },
    Failures: { Type: 'AWS::SQS::Queue', Properties: {} },
    Topic: { Type: 'AWS::SNS::Topic', Properties: {} },
    QueueAlarm: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        Dimensions: [{ Name: 'QueueName', Value: arn('Failures', 'QueueName') }],
        AlarmActions: [ref('Topic')],
      },
    },
    ApiAlarm: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        Metrics: [{ MetricStat: { Dimensions: [{ Name: 'ApiName', Value: 'messaging-small' }] } }],
        AlarmActions: [ref('Topic')],
      },
    },
    Log: { Type: 'AWS::Logs::LogGroup', Properties: {} },
  },
};
