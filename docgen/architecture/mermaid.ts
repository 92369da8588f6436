import { collapse, operations } from './collapse.ts';
import { type Arrow, type BoxType, boxTypes, type Graph } from './graph.ts';

/** The brackets by which Mermaid knows a shape. */
const shapes: Record<BoxType, [open: string, close: string]> = {
  'AWS::WAFv2::WebACL': ['{{', '}}'],
  'AWS::ApiGateway::RestApi': ['{{', '}}'],
  'AWS::Lambda::Function': ['[', ']'],
  'AWS::DynamoDB::GlobalTable': ['[(', ')]'],
  'AWS::SQS::Queue': ['[[', ']]'],
  'AWS::SNS::Topic': ['>', ']'],
  'AWS::Events::Rule': ['([', '])'],
  'AWS::Cognito::UserPool': ['([', '])'],
  'AWS::CodeDeploy::Application': ['([', '])'],
};

/** The graph as a flowchart in Mermaid's words, line by line the same whenever the graph is. */
export function toMermaid(graph: Graph): string {
  const { groups, arrows } = collapse(graph.arrows);
  const nodeIds = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const grouped = new Set(groups.flat());
  const tables = graph.boxes.filter(({ id }) =>
    [...nodeIds].some((one) => one.startsWith(`${id}/`)),
  );
  return [
    'flowchart LR',
    ...frame(
      operations,
      'a function for each operation',
      groups.map((ids) => box(ids[0] ?? '', 'AWS::Lambda::Function', ids.map(plainName))),
    ),
    ...tables.flatMap(({ id, type }) =>
      frame(`${plainName(id)}s`, boxTypes[type], [
        box(id, type, ['items']),
        ...[...nodeIds]
          .filter((one) => one.startsWith(`${id}/`))
          .sort()
          .map((one) => box(one, type, [one.split('/')[1] ?? ''])),
      ]),
    ),
    ...graph.boxes
      .filter((one) => nodeIds.has(one.id) && !grouped.has(one.id) && !tables.includes(one))
      .map((one) => `  ${box(one.id, one.type, [plainName(one.id), boxTypes[one.type]])}`),
    '  Clients((clients))',
    `  Clients --> ${findEntryPoint(graph)}`,
    ...lines(arrows),
  ].join('\n');
}

/** What a request meets first; who sends it is in no template. */
function findEntryPoint({ boxes }: Graph): string {
  const ofType = (type: BoxType) => boxes.find((one) => one.type === type);
  const first = ofType('AWS::WAFv2::WebACL') ?? ofType('AWS::ApiGateway::RestApi');
  return nodeName(first?.id ?? '');
}

const frame = (id: string, title: string, inside: string[]) => [
  `  subgraph ${id}["${title}"]`,
  ...inside.map((line) => `    ${line}`),
  '  end',
];

function box(id: string, type: BoxType, texts: string[]): string {
  const [open, close] = shapes[type];
  return `${nodeName(id)}${open}"${texts.join('<br/>')}"${close}`;
}

/** An arrow for all that goes the same way; of alarms a dotted one, as nobody waits for them. */
function lines(arrows: readonly Arrow[]): string[] {
  const routes = Map.groupBy(arrows, ({ from, to, says }) =>
    JSON.stringify([nodeName(from), says === 'alarm' ? '-.->' : '-->', nodeName(to)]),
  );
  return [...routes].map(([way, same]) => {
    const [from, line, to] = JSON.parse(way);
    const says = same.map((arrow) => arrow.says).sort();
    return `  ${from} ${line}${line === '-->' ? `|"${says.join(', ')}"|` : ''} ${to}`;
  });
}

const nodeName = (id: string) => id.split('/').map(plainName).join('_');

/**
 * MessagesSendE023A027 → MessagesSend: without what the CDK adds to tell resources of one name
 * apart.
 */
const plainName = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
