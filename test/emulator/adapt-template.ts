import * as v from 'valibot';

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
});
export const WholeTemplate = v.looseObject({ Resources: v.record(v.string(), Resource) });
type WholeTemplate = v.InferOutput<typeof WholeTemplate>;

const TokenEnvironment = v.looseObject({
  Variables: v.looseObject({ TOKEN_ISSUER: v.unknown(), TOKEN_KEYS_URL: v.unknown() }),
});

/**
 * Resource types that the emulator cannot create. Without an Event API, there is no push; without a
 * malware protection plan, no file is scanned.
 */
const unsupportedTypes = [
  'AWS::AppSync::Api',
  'AWS::AppSync::ChannelNamespace',
  'AWS::GuardDuty::MalwareProtectionPlan',
  'AWS::XRay::SamplingRule',
];

/**
 * Returns the dev stage's template with the changes that the emulator needs. Each change works
 * around a known difference from AWS.
 */
export function adaptTemplate(template: WholeTemplate, endpoint: string): WholeTemplate {
  const [pool = ''] =
    Object.entries(template.Resources).find(([, { Type }]) => Type === 'AWS::Cognito::UserPool') ??
    [];
  const isUnsupported = ({ Type }: { Type: string }) => unsupportedTypes.includes(Type);
  const resources = Object.entries(template.Resources);
  const removed = resources.filter(([, one]) => isUnsupported(one)).map(([id]) => id);
  const retained = resources
    .filter(([, one]) => !isUnsupported(one))
    .map(([id, { DependsOn, ...resource }]) => [
      id,
      {
        ...resource,
        Properties: adaptProperties(resource.Properties, pool, endpoint),
        ...(DependsOn !== undefined && {
          DependsOn: [DependsOn].flat().filter((one) => !removed.some((id) => id === one)),
        }),
      },
    ]);
  const adapted = { ...template, Resources: Object.fromEntries(retained) };
  return v.parse(WholeTemplate, JSON.parse(withoutReferences(JSON.stringify(adapted), removed)));
}

/** Replaces references to the given resources with the text `none`. */
const withoutReferences = (text: string, ids: readonly string[]) =>
  ids.reduce(
    (before, id) =>
      before.replaceAll(
        new RegExp(`\\{"(?:Ref":"${id}"|Fn::GetAtt":\\["${id}","[^"]+"\\])\\}`, 'g'),
        '"none"',
      ),
    text,
  );

function adaptProperties(properties: Record<string, unknown>, pool: string, endpoint: string) {
  // The emulator rejects alarms with expressions.
  if ('Metrics' in properties) {
    const { Metrics: _, ...others } = properties;
    return { ...others, Namespace: 'none', MetricName: 'none', Statistic: 'Sum', Period: 60 };
  }
  const environment = v.safeParse(TokenEnvironment, properties.Environment);
  if (!environment.success) return properties;
  // The issuer of the emulator's tokens differs from the pool's attribute `ProviderURL`.
  const Variables = {
    ...environment.output.Variables,
    TOKEN_ISSUER: { 'Fn::Sub': `https://cognito-idp.us-east-1.amazonaws.com/\${${pool}}` },
    TOKEN_KEYS_URL: { 'Fn::Sub': `${endpoint}/\${${pool}}/.well-known/jwks.json` },
  };
  return { ...properties, Environment: { ...environment.output, Variables } };
}
