/**
 * Replaces the content between `<!-- name -->` and `<!-- /name -->`. Throws an error with the path
 * if a marker is missing.
 */
export function replaceBetweenMarkers(
  page: string,
  path: string,
  name: string,
  content: string,
): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) {
    throw new Error(
      `${path} needs the lines ${begin} and ${end}: ${name} is inserted between them.`,
    );
  }
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
