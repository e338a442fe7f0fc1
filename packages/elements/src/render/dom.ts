type Attributes = Record<string, string>;

/** An element with its attributes and children. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

export const createSvg = (name: string, attributes: Attributes, ...children: Node[]): SVGElement =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

function fill<Made extends Element>(
  element: Made,
  attributes: Attributes,
  children: (Node | string)[],
): Made {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Text by others. Its direction does not affect the text around it. The service refuses characters that hide something. */
export const foreign = (text: string): HTMLElement => create('bdi', { dir: 'auto' }, text);

/**
 * Fills in a sentence such as "Check {device}". An element without a text is hidden. An element that says the same already is
 * left alone, so that a screen reader does not read it twice.
 */
export function say(element: Element, sentence = '', values: Record<string, string> = {}): void {
  const parts = sentence
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : foreign(values[part] ?? '')));
  const said = create('p', {}, ...parts);
  if (element.textContent !== said.textContent) element.replaceChildren(...said.childNodes);
  show(element, element.textContent !== '');
}

export function show(element: Element, isShown: boolean): void {
  element.toggleAttribute('hidden', !isShown);
}
