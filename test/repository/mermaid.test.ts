/** The pages' pictures: a fault in one would be an error box on GitHub. Checks the part of Mermaid's syntax that the pages use. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const pages = ['*.md', 'docs/**/*.md', '.github/*.md'].flatMap((pattern) => globSync(pattern));
const pictures = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/```mermaid\n(.*?)```/gs)].map(
    ([, text = ''], at): [string, string] => [`${page}, ${at + 1}`, text],
  ),
);

/** Text without anything that has a meaning in Mermaid. */
const label = /[^()[\]{}|"<>;#\n]+/.source;
const id = /(?!end\b)[A-Za-z](?:[\w-]*\w)?/.source;

const node = `${id}(?:\\[\\(${label}\\)\\]|\\[\\[${label}\\]\\]|\\[${label}\\])?`;
const link = ` (?:-->|-- ${label} -->|-\\. ${label} \\.->) `;
const flowchartLine = new RegExp(`^ {4}${node}(?:${link}${node})+$`);

const participant = new RegExp(`^(?:actor|participant) (${id})(?: as ${label})?$`);
const message = new RegExp(`^(${id})--?>>(${id}): [^;#\\n]+$`);

function flowchartFaults(lines: string[]): string[] {
  return lines.filter((line) => !flowchartLine.test(line));
}

function sequenceFaults(lines: string[]): string[] {
  const known = new Set<string>();
  let open = 0;
  const isFault = (line: string): boolean => {
    const [, name] = participant.exec(line) ?? [];
    if (name !== undefined) return !known.add(name);
    const [, from, to] = message.exec(line) ?? [];
    if (from !== undefined && to !== undefined) return !known.has(from) || !known.has(to);
    open += line === 'end' ? -1 : 1;
    return open < 0 || !/^(?:end|loop .+)$/.test(line);
  };
  const faults = lines.map((line) => line.trim()).filter(isFault);
  return open === 0 ? faults : [...faults, 'a loop without an end'];
}

function faultsIn(picture: string): string[] {
  const [first = '', ...lines] = picture.trimEnd().split('\n');
  if (/^flowchart (?:TB|LR)$/.test(first)) return flowchartFaults(lines);
  return first === 'sequenceDiagram' ? sequenceFaults(lines) : [first];
}

test('the README and the architecture have pictures', () => {
  const names = pictures.map(([name]) => name.split(',')[0]);
  expect(names).toEqual(expect.arrayContaining(['README.md', 'docs/architecture.md']));
});

test.each(pictures)('the picture %s can be drawn', (_, picture) => {
  expect(faultsIn(picture)).toEqual([]);
});

describe('an invalid picture', () => {
  test.each([
    ['an invalid type', 'flowchart XY\n    a --> b\n'],
    ['parentheses in a label', 'flowchart TB\n    a[one (two)] --> b\n'],
    ['a shape that is not closed', 'flowchart TB\n    a[one --> b\n'],
    ['a node with the name "end"', 'flowchart TB\n    a --> end\n'],
    ['a link that is cut off', 'flowchart TB\n    a -- text -> b\n'],
    ['a message to nobody', 'sequenceDiagram\n    actor A\n    A->>B: hello\n'],
    ['a message without text', 'sequenceDiagram\n    actor A\n    A->>A\n'],
    ['a loop without an end', 'sequenceDiagram\n    actor A\n    loop often\n    A->>A: hello\n'],
    ['an end without a loop', 'sequenceDiagram\n    actor A\n    end\n'],
  ])('is found: %s', (_, picture) => {
    expect(faultsIn(picture)).not.toEqual([]);
  });
});
