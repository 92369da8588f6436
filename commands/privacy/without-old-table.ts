/** What can be done about people who were erased where the table that knows of them is gone. */
export const withoutOldTable = (name: string): string =>
  [
    `There is no table ${name}, which would say who was erased since.`,
    'If the restored one is made of the backup that DynamoDB took when that was deleted, nobody comes back: it has all of it.',
    'If it is of an earlier state, make a table of that backup too (docs/recovery.md#the-table-is-gone), and once the restored one serves give its name: npm run erase-person -- --erased-in NAME --stage STAGE',
    'Without that backup erase whom your notes name, one by one: npm run erase-person -- --contact ID --stage STAGE',
  ].join('\n');
