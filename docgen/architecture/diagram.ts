import type { Template } from '../../lib/synthesis/template.ts';
import { toGraph } from './graph.ts';
import { toMermaid } from './mermaid.ts';

/** Renders a template as a Mermaid diagram for a Markdown page. */
export const renderDiagram = (template: Pick<Template, 'Resources'>): string =>
  ['```mermaid', toMermaid(toGraph(template)), '```'].join('\n');

/** Returns a sentence that lists the resource types that the diagram omits. */
export const describeOmittedTypes = (template: Pick<Template, 'Resources'>): string =>
  `Not drawn: ${toGraph(template)
    .omittedTypes.map((type) => `\`${type.replace(/^AWS::/, '')}\``)
    .sort()
    .join(', ')}.`;
