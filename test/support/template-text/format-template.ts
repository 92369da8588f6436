import { block, wrapNames } from './format-lines.ts';
import type { Readable } from './readable-template.ts';

/** The template as text, sorted. Resources that say the same, but for the function that they belong to, are said once. */
export const formatTemplate = (template: Readable): string =>
  [...template]
    .sort(byName)
    .map(([type, resources]) => {
      const same = Map.groupBy([...resources].sort(byName), ([name, said]) =>
        block(said, '    ')
          .join('\n')
          .replaceAll(`<${findOwner(name, template)}`, '<*'),
      );
      const paragraphs = [...same].map(([text, those]) => {
        const said = those.map(([, one]) => block(one, '    ').join('\n'));
        return `${wrapNames(those.map(([name]) => name))}:\n${said.length === 1 ? said[0] : text}`;
      });
      return `${type}\n${paragraphs.join('\n')}`;
    })
    .join('\n\n');

/** The function whose name is in that of a resource: its log, its role and so on. */
export const findOwner = (name: string, template: Readable): string | undefined =>
  [...(template.get('AWS::Lambda::Function')?.keys() ?? [])]
    .filter((one) => name.includes(one))
    .sort((a, b) => b.length - a.length)[0];

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
