import { TableError } from '../../../shared/table/calls/wire-format.ts';

export const createTableError = (name: string, fields: object = {}, status = 400): TableError =>
  new TableError(
    status,
    JSON.stringify({ __type: name, message: 'the table’s own words', ...fields }),
  );

/** Returns the error of a transaction canceled for the given reasons, one per write. */
export const createCancellation = (...codes: string[]): TableError =>
  createTableError('TransactionCanceledException', {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
