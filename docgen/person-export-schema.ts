import { toJsonSchema } from '@valibot/to-json-schema';
import { ExportRecord } from '../commands/privacy/export/export-records.ts';
import { conversion } from './openapi/conversion.ts';

export function personExportSchema(): string {
  const { $schema, ...json } = toJsonSchema(ExportRecord, conversion);
  const schema = {
    $schema,
    title: 'A line of the output of npm run export-person',
    description:
      'Times are Unix seconds. The first line has the kind `export`, and the last line has the kind `end`.',
    ...json,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
