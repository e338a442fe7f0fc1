/** Diagrams as lists: GitHub draws Mermaid, and this site has no drawing program of a megabyte. */

export type Diagram = { name: string; steps: string[] };

/** `a[Label]`, `a[(Table)]`, `a[[Queue]]`, or a name alone. */
const node = /^\s*([\w-]+)(?:\[\[?\(?([^\])]+)\)?\]?\])?/;
const edge = /^\s*(?:--\s+(.+?)\s+-->|-\.\s+(.+?)\s+\.->|-->)/;

/** One line may be a chain of several edges. */
function edgesOf(line: string, labels: Map<string, string>): string[] {
  const steps: string[] = [];
  let rest = line;
  let from: string | undefined;
  let what = '';
  for (;;) {
    const found = node.exec(rest);
    if (!found) return steps;
    const [whole, id = '', label] = found;
    if (label !== undefined) labels.set(id, label);
    const name = labels.get(id) ?? id;
    if (from !== undefined) steps.push(`${from} → ${name}${what === '' ? '' : `: ${what}`}`);
    rest = rest.slice(whole.length);
    const next = edge.exec(rest);
    if (!next) return steps;
    from = name;
    what = next[1] ?? next[2] ?? '';
    rest = rest.slice(next[0].length);
  }
}

function flowchart(lines: readonly string[]): string[] {
  const labels = new Map<string, string>();
  // Labels may stand behind the first use of a name.
  for (const line of lines) edgesOf(line, labels);
  return lines.flatMap((line) => edgesOf(line, labels));
}

function sequence(lines: readonly string[]): string[] {
  const names = new Map<string, string>();
  const steps: string[] = [];
  for (const line of lines) {
    const [, id = '', label] = /^\s*(?:actor|participant)\s+(\w+)(?:\s+as\s+(.+))?$/.exec(line) ?? [];
    if (label !== undefined) names.set(id, label);
    const called = /^\s*(\w+)--?>>(\w+):\s*(.+)$/.exec(line);
    if (!called) continue;
    const [, from = '', to = '', what = ''] = called;
    steps.push(`${names.get(from) ?? from} → ${names.get(to) ?? to}: ${what}`);
  }
  return steps;
}

/** @throws if it is of a kind that the site cannot show */
export function diagramOf(mermaid: string): Diagram {
  const [head = '', ...lines] = mermaid.trim().split('\n');
  if (head.startsWith('flowchart')) return { name: 'What leads where', steps: flowchart(lines) };
  if (head.startsWith('sequenceDiagram')) return { name: 'Step by step', steps: sequence(lines) };
  throw new Error(`The site has no list for a diagram "${head}"`);
}
