import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Formats text as cdk-nag's findings do, with CloudFormation tokens in angle brackets. */
export const formatForFinding = (scope: Construct, text: string): string =>
  flat(Stack.of(scope).resolve(text));

function flat(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = ['', undefined]] = Object.entries(value);
  if (name === 'Ref') return `<${argument}>`;
  if (name === 'Fn::GetAtt' && Array.isArray(argument)) return `<${argument.join('.')}>`;
  if (name === 'Fn::Join' && Array.isArray(argument) && Array.isArray(argument[1])) {
    return argument[1].map(flat).join(String(argument[0]));
  }
  throw new Error(`Unknown token: ${name}`);
}
