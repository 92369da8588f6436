import { toJsonSchema } from '@valibot/to-json-schema';
import { ExportRecord } from '../commands/privacy/records.ts';
import { conversion } from './openapi/conversion.ts';

/** What each line of a person's export is, for whoever reads one by a program. */
export function personExportSchema(): string {
  const { $schema, ...json } = toJsonSchema(ExportRecord, conversion);
  const schema = {
    $schema,
    title: 'A line of what npm run export-person writes',
    description:
      'Times are Unix seconds. The first line is of the kind `export`, the last one `end`.',
    ...json,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
