/** Returns instructions for repeating erasures if the table that recorded them was deleted. */
export const formatMissingTable = (name: string): string =>
  [
    `The table ${name}, which records the people erased after the restore point, does not exist.`,
    `If the restored table comes from the backup that DynamoDB made when ${name} was deleted, it already reflects all erasures.`,
    'Otherwise, also restore that backup to another table (docs/recovery.md#if-the-table-was-deleted). Once the stage uses the restored table, pass the name of the other table: npm run erase-person -- --erased-in NAME --stage STAGE',
    'Without that backup, erase the people in your records one by one: npm run erase-person -- --contact ID --stage STAGE',
  ].join('\n');
