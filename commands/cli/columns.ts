/**
 * Rows of a table to print, each as wide as it must be (console.table would draw boxes, and no number below another): from
 * the `texts`-th column on they are numbers, which end below one another.
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
