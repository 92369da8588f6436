/** Returns instructions for repeating erasures if the table that recorded them was deleted. */
export const formatMissingTable = (name: string): string =>
  [
    `The table ${name}, which records the people erased after the restore point, does not exist.`,
    `If the restored table comes from the backup that DynamoDB made when ${name} was deleted, it already reflects all erasures.`,
    'If the restored table has an earlier state, restore that backup to another table as well (docs/recovery.md#if-the-table-was-deleted). When the restored table is active, pass the name of the other table: npm run erase-person -- --erased-in NAME --stage STAGE',
    'Without that backup, erase the people in your records one by one: npm run erase-person -- --contact ID --stage STAGE',
  ].join('\n');
