/** The part of a logical id that CDK makes of the resource's path, or of what a version or a deployment consists of. */
const hash = /[0-9A-F]{8}(?:[0-9a-f]{32})?$/;

/** Logical ids as they are named in the code: without their hashes. */
export const toName = (logicalId: string): string => logicalId.replace(hash, '');

/** Puts names and texts in the place of logical ids, of intrinsic functions and of the hashes of assets. */
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

/** `<Table>`, `<Table.Arn>`, or the text that is put together. */
function reference(name: string, argument: unknown): unknown {
  if (name === 'Ref') return `<${toName(String(argument))}>`;
  if (name === 'Fn::Sub') return argument;
  if (!Array.isArray(argument)) return { [name]: argument };
  const [first, second] = argument;
  if (name === 'Fn::GetAtt') return `<${toName(String(first))}.${second}>`;
  if (name === 'Fn::Join' && Array.isArray(second)) return second.join(String(first));
  if (name === 'Fn::Split') return String(second);
  if (name === 'Fn::Select') return `${second}[${first}]`;
  return { [name]: argument };
}
