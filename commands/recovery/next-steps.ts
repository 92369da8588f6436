import type { Restored } from './restore.ts';

/** How a restored table comes to serve, in the order of doing; with whoever was erased in the old one still to be erased again. */
export const swapSteps = (
  stageName: string,
  { name, streamArn }: Restored,
  old: string,
): string[] => [
  '',
  'Nothing has changed for anybody yet. To have it serve:',
  '',
  `1. In lib/stages.ts, in ${stageName}:`,
  '     restoredTable: {',
  `       name: '${name}',`,
  `       streamArn: '${streamArn}',`,
  '     },',
  '     deploysGradually: false,',
  '2. Close the API, if it should not be written to meanwhile: docs/recovery.md#closing-the-api',
  `3. npm run deploy -- --stage ${stageName}`,
  `4. npm run redrive -- --stage ${stageName}`,
  '5. Open the API again, if it was closed.',
  `6. npm run erase-person -- --stage ${stageName} --erased-in ${old}`,
  '   It erases again who was erased since; with --delete-again that is done, and it says so.',
  '',
  'The old table stays as it is. The way back is to take these lines out again and deploy.',
];
