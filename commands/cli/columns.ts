/**
 * Returns the rows as lines with aligned columns. The first `texts` columns are left-aligned; the
 * others contain numbers and are right-aligned.
 */
export function columns(rows: readonly (readonly string[])[], texts: number): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, n) => (n < texts ? cell.padEnd(width(n)) : cell.padStart(width(n))))
      .join('  ')
      .trimEnd(),
  );
}
