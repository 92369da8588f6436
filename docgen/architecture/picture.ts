import type { Template } from '../../lib/synthesis/template.ts';
import { graphOf } from './graph.ts';
import { mermaidOf } from './mermaid.ts';

/** A template as a picture for a page in Markdown. */
export const picture = (template: Pick<Template, 'Resources'>): string =>
  ['```mermaid', mermaidOf(graphOf(template)), '```'].join('\n');

/** What the picture leaves out, in a sentence. */
export const leftOut = (template: Pick<Template, 'Resources'>): string =>
  `Not drawn: ${graphOf(template)
    .left.map((type) => `\`${type.replace(/^AWS::/, '')}\``)
    .sort()
    .join(', ')}.`;
