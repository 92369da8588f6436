import type { Template } from '../../lib/synthesis/template.ts';
import { toGraph } from './graph.ts';
import { toMermaid } from './mermaid.ts';

export const renderDiagram = (template: Pick<Template, 'Resources'>): string =>
  ['```mermaid', toMermaid(toGraph(template)), '```'].join('\n');

export const describeOmittedTypes = (template: Pick<Template, 'Resources'>): string =>
  `Not drawn: ${toGraph(template)
    .omittedTypes.map((type) => `\`${type.replace(/^AWS::/, '')}\``)
    .sort()
    .join(', ')}.`;
