import { visibleText } from '../i18n/format.ts';

type Attributes = Record<string, string>;

/** An element with its attributes and children. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function createSvg(name: string, attributes: Attributes, ...children: Node[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Text by somebody else. Its direction cannot reach the text around it, and hidden characters are visible. */
export const foreign = (text: string): HTMLElement => create('bdi', { dir: 'auto' }, visibleText(text));

/**
 * Fills in a sentence such as "Check {device}". An element without a text is hidden. An element that says the same already is
 * left alone, so that a screen reader does not read it twice.
 */
export function say(element: HTMLElement, sentence: string, values: Record<string, string> = {}): void {
  const parts = sentence.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    return foreign(values[part] ?? '');
  });
  const text = parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');
  if (element.textContent !== text) element.replaceChildren(...parts);
  show(element, text !== '');
}

export function show(element: Element, isShown: boolean): void {
  element.toggleAttribute('hidden', !isShown);
}
