/** Returns what to do about erased people if the table that recorded the erasures was deleted. */
export const formatMissingTable = (name: string): string =>
  [
    `The table ${name} does not exist: it records who was erased since.`,
    'If the restored table comes from the backup that DynamoDB made when that table was deleted, it includes all erasures.',
    'If it has an earlier state, restore that backup to a table as well (docs/recovery.md#the-table-is-gone). When the restored table is active, give the name of that table: npm run erase-person -- --erased-in NAME --stage STAGE',
    'Without that backup, erase the people in your records one by one: npm run erase-person -- --contact ID --stage STAGE',
  ].join('\n');
