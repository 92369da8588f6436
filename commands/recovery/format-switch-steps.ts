import type { Restored } from './restore-table.ts';

/** Returns the steps that switch the stage from the table `old` to a restored table. */
export const formatSwitchSteps = (
  stageName: string,
  { name, streamArn }: Restored,
  old: string,
): string[] => [
  '',
  'The stage still uses the old table. To switch to the restored one:',
  '',
  `1. In lib/stages.ts, add to ${stageName}:`,
  '     restoredTable: {',
  `       name: '${name}',`,
  `       streamArn: '${streamArn}',`,
  '     },',
  '     deploysGradually: false,',
  '2. To prevent writes to the old table during the deployment, close the API: docs/recovery.md#closing-the-api',
  `3. npm run deploy -- --stage ${stageName}`,
  `4. npm run redrive -- --stage ${stageName}`,
  '5. If you closed the API, open it again.',
  `6. npm run erase-person -- --stage ${stageName} --erased-in ${old}`,
  '   This repeats the erasures made since the restore point. If you used --delete-again, it repeats only the erasures made after that run.',
  '',
  'The old table is unchanged. To switch back, remove restoredTable, keep deploysGradually: false, and deploy.',
];
