import type { Components } from './openapi-types.ts';

const reference = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

/** Returns the components that `part` references, directly or indirectly. */
export function selectUsedComponents(part: unknown, components: Components): Partial<Components> {
  const all: Record<string, Record<string, unknown>> = { ...components };
  const used = new Set<string>();
  const follow = (from: unknown) => {
    for (const [, section = '', name = ''] of JSON.stringify(from).matchAll(reference)) {
      if (used.has(`${section}/${name}`)) continue;
      used.add(`${section}/${name}`);
      follow(all[section]?.[name] ?? null);
    }
  };
  follow(part);
  const sections = Object.entries(all).map(([section, named]) => [
    section,
    Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${section}/${name}`))),
  ]);
  return Object.fromEntries(sections);
}
