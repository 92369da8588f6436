import type { Field } from './fields.ts';
import type { ReferenceOperation } from './openapi.ts';
import { toSamples } from './samples.ts';

export function toOperationMarkdown(operation: ReferenceOperation, baseUrl: string): string {
  const { row, parameters, body, reply, successes, errors } = operation;
  const samples = toSamples(operation, baseUrl);
  const inputs = (['path', 'query', 'header'] as const).flatMap((location) =>
    toSection(
      `Parameters in the ${location}`,
      toList(parameters.filter((one) => one.in === location)),
    ),
  );
  return `${[
    `# ${row.summary}`,
    `\`${row.method} ${baseUrl}${row.path}\``,
    row.description,
    'Send `Authorization: Bearer <token>`. [Requests and replies](conventions.md) describes paging, common headers and common errors.',
    ...inputs,
    ...(body ? toSection('Body (JSON)', toList(body.fields)) : []),
    '## Request',
    toBlock('sh', samples.sh),
    toBlock('ts', samples.ts),
    toBlock('python', samples.python),
    '## Reply',
    successes.map(({ status, description }) => `- ${status}: ${description}`).join('\n'),
    toBlock('json', JSON.stringify(reply.example, undefined, 2)),
    ...toSection('Fields of the reply', toList(reply.fields, '')),
    ...toSection(
      'Errors',
      errors.map(
        ({ code, status, meaning }) => `- ${status} [\`${code}\`](errors.md#${code}): ${meaning}`,
      ),
    ),
  ].join('\n\n')}\n`;
}

const toBlock = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

const toSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];

const toList = (fields: readonly Field[], required = ', required', indent = ''): string[] =>
  fields.flatMap(({ name, type, required: isRequired, description, fields: parts }) => [
    `${indent}- \`${name}\` (${type}${isRequired ? required : ''})${description ? `: ${description}` : ''}`,
    ...toList(parts, required, `${indent}  `),
  ]);
