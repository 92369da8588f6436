/** Hash that the CDK appends to a logical id. */
const hash = /[0-9A-F]{8}(?:[0-9a-f]{32})?$/;

export const toName = (logicalId: string): string => logicalId.replace(hash, '');

/** Replaces logical ids, intrinsic functions and asset hashes with readable text. */
export function replaceReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\b[0-9a-f]{64}\.zip$/, '<bundle>.zip');
  if (Array.isArray(value)) return value.map(replaceReferences);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[name, argument] = ['', undefined]] = entries;
  const isIntrinsic = entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'));
  if (isIntrinsic) return reference(name, replaceReferences(argument));
  return Object.fromEntries(entries.map(([key, item]) => [key, replaceReferences(item)]));
}

/** Returns the readable text of an intrinsic function, such as `<Table>` or `<Table.Arn>`. */
function reference(name: string, argument: unknown): unknown {
  if (name === 'Ref') return `<${toName(String(argument))}>`;
  if (name === 'Fn::Sub') return argument;
  if (name === 'Fn::GetAZs') return '<zones>';
  if (!Array.isArray(argument)) return { [name]: argument };
  const [first, second] = argument;
  if (name === 'Fn::GetAtt') return `<${toName(String(first))}.${second}>`;
  if (name === 'Fn::Join' && Array.isArray(second)) return second.join(String(first));
  if (name === 'Fn::Split') return String(second);
  if (name === 'Fn::Select') return `${second}[${first}]`;
  return { [name]: argument };
}
