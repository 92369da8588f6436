/**
 * Returns the rows as lines with aligned columns. The first `textColumns` columns are left-aligned;
 * the others contain numbers and are right-aligned.
 */
export function alignColumns(rows: readonly (readonly string[])[], textColumns: number): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, n) => (n < textColumns ? cell.padEnd(width(n)) : cell.padStart(width(n))))
      .join('  ')
      .trimEnd(),
  );
}
