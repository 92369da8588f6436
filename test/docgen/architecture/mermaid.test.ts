import { describe, expect, test } from '@jest/globals';
import { toGraph } from '../../../docgen/architecture/graph.ts';
import { toMermaid } from '../../../docgen/architecture/mermaid.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { env } from '../../../shared/env.ts';
import { smallTemplate } from './small-template.ts';

describe('A Mermaid diagram', () => {
  test('has a box per resource, a frame per group of boxes, and the arrows of the graph', () => {
    expect(toMermaid(toGraph(smallTemplate))).toBe(`flowchart LR
  subgraph Operations["functions of the operations"]
    Send["Send<br/>Change"]
    List["List"]
  end
  subgraph Tables["DynamoDB"]
    Table[("items")]
    Table_gsi1[("gsi1")]
    Table_stream[("stream")]
  end
  Firewall{{"Firewall<br/>firewall"}}
  Api{{"Api<br/>API Gateway"}}
  Purge["Purge<br/>function"]
  Failures[["Failures<br/>queue"]]
  Topic>"Topic<br/>topic"]
  Clients((clients))
  Clients --> Firewall
  Operations -->|"reads"| Table
  Api -->|"calls"| Operations
  Firewall -->|"forwards"| Api
  Send -->|"writes"| Table
  List -->|"reads"| Table_gsi1
  Purge -->|"reads"| Table
  Purge -->|"sends"| Failures
  Table_stream -->|"invokes"| Purge
  Failures -.-> Topic
  Api -.-> Topic`);
  });

  // Mermaid is not installed, because it needs 180 MB of packages. Mermaid's parser (11.17)
  // accepted diagrams with this line syntax.
  test('contains only line syntax that Mermaid accepts', async () => {
    const { template } = await readAssembly(env('TEST_ASSEMBLY'));
    const forms = [
      /^flowchart LR$/,
      /^ {2}subgraph \w+\["[\w ]+"\]$/,
      /^ {2}end$/,
      /^ {2,4}\w+(\["[^"]+"\]|\(\["[^"]+"\]\)|\[\("[^"]+"\)\]|\[\["[^"]+"\]\]|\{\{"[^"]+"\}\}|>"[^"]+"\]|\(\(\w+\)\))$/,
      /^ {2}\w+ -->(\|"[^"|]+"\|)? \w+$/,
      /^ {2}\w+ -\.-> \w+$/,
    ];
    const lines = toMermaid(toGraph(template)).split('\n');
    expect(lines.filter((line) => !forms.some((form) => form.test(line)))).toEqual([]);
    expect(lines.length).toBeGreaterThan(30);
  });

  test('contains each box once, and its arrows connect only existing boxes', async () => {
    const { template } = await readAssembly(env('TEST_ASSEMBLY'));
    const text = toMermaid(toGraph(template));
    const boxes = [...text.matchAll(/^ +(?:subgraph )?(\w+)[[({>]/gm)].map(([, name]) => name);
    const ends = [...text.matchAll(/^ {2}(\w+) -.*-?> ?(?:\|.*\| )?(\w+)$/gm)].flatMap(
      ([, from, to]) => [from, to],
    );
    expect(boxes.filter((name, n) => boxes.indexOf(name) !== n)).toEqual([]);
    expect(ends.filter((name) => !boxes.includes(name))).toEqual([]);
    expect(ends.length).toBeGreaterThan(30);
  });
});
