import type { Restored } from './restore-table.ts';

/**
 * Returns the steps that make a restored table the active one, including the erasures to repeat.
 */
export const formatSwitchSteps = (
  stageName: string,
  { name, streamArn }: Restored,
  old: string,
): string[] => [
  '',
  'The stage still uses the old table. To switch to the restored one:',
  '',
  `1. In lib/stages.ts, set in ${stageName}:`,
  '     restoredTable: {',
  `       name: '${name}',`,
  `       streamArn: '${streamArn}',`,
  '     },',
  '     deploysGradually: false,',
  '2. To prevent writes in the meantime, close the API: docs/recovery.md#closing-the-api',
  `3. npm run deploy -- --stage ${stageName}`,
  `4. npm run redrive -- --stage ${stageName}`,
  '5. Open the API again if you closed it.',
  `6. npm run erase-person -- --stage ${stageName} --erased-in ${old}`,
  '   This erases again the people erased since. After --delete-again it reports that there is nothing to do.',
  '',
  'The old table is unchanged. To switch back, remove these lines and deploy.',
];
