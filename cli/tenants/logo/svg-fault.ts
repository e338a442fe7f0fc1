import { type Attr, DOMParser, type Element, type Node, onWarningStopParsing } from '@xmldom/xmldom';

const svgNamespace = 'http://www.w3.org/2000/svg';

const words = (text: string): string[] => text.split(' ');

const painting = words(
  'id fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit ' +
    'stroke-dasharray stroke-dashoffset color opacity transform display visibility vector-effect paint-order shape-rendering xml:space',
);
const gradient = words('id gradientUnits gradientTransform spreadMethod href xlink:href');

/**
 * The elements of a logo with their attributes. Nothing here runs, loads, animates, or repeats another element: `use`, `mask` and clips of
 * clips could make a small file cost a lot of drawing.
 */
const allowed: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    svg: ['viewBox', 'width', 'height', 'preserveAspectRatio', 'version', ...painting],
    g: ['clip-path', ...painting],
    defs: ['id'],
    title: ['id'],
    desc: ['id'],
    path: ['d', ...painting],
    rect: ['x', 'y', 'width', 'height', 'rx', 'ry', ...painting],
    circle: ['cx', 'cy', 'r', ...painting],
    ellipse: ['cx', 'cy', 'rx', 'ry', ...painting],
    line: ['x1', 'y1', 'x2', 'y2', ...painting],
    polyline: ['points', ...painting],
    polygon: ['points', ...painting],
    linearGradient: ['x1', 'y1', 'x2', 'y2', ...gradient],
    radialGradient: ['cx', 'cy', 'r', 'fx', 'fy', 'fr', ...gradient],
    stop: ['id', 'offset', 'stop-color', 'stop-opacity'],
    clipPath: ['id', 'clipPathUnits'],
  }).map(([element, attributes]) => [element, new Set(attributes)]),
);

/** Numbers, words and lists, and the functions of colours and transformations. CSS escapes could hide any other function. */
const plainValue =
  /^(?:[\w\s.,#%+-]|(?:rgba?|hsla?|matrix|translate|scale|rotate|skew[XY])\([\w\s.,%+-]*\))*$/;
/** A reference to an element of the same file. */
const ownReference = /^(?:url\(#[\w-]+\)|#[\w-]+)$/;

/** What else may stand in a file, by its type in the DOM: text and comments. Browsers act upon none of them. */
const harmless: ReadonlySet<number> = new Set([3, 8]);

/**
 * Why a file is no logo, as a sentence that names the element or attribute; undefined if it is one. Nothing is cleaned: what apps show
 * is what the tenant made.
 */
export function faultOfSvg(text: string): string | undefined {
  if (/^\s*<\?xml[^>]*\bencoding\s*=\s*["'](?!utf-8["'])/i.test(text)) return 'The encoding must be UTF-8.';
  const root = parse(text);
  if (typeof root === 'string') return root;
  if (root.localName !== 'svg') return `The outermost element must be <svg>, not <${root.tagName}>.`;
  return faultOfElement(root);
}

function parse(text: string): Element | string {
  try {
    const document = new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'text/xml');
    if (document.doctype) return 'A document type (<!DOCTYPE>) is not allowed: it could define entities.';
    const instruction = [...document.childNodes].find(
      (node) => node.nodeType === node.PROCESSING_INSTRUCTION_NODE && node.nodeName !== 'xml',
    );
    if (instruction) return faultOfNode(instruction);
    return document.documentElement ?? 'The file is empty.';
  } catch {
    return 'The file is not well-formed XML.';
  }
}

const faultOfNode = ({ nodeName }: Node): string =>
  `Only elements, text and comments are allowed, not ${nodeName}.`;

function faultOfElement(element: Element): string | undefined {
  const attributes = allowed.get(element.tagName);
  if (!attributes || element.namespaceURI !== svgNamespace)
    return `The element <${element.tagName}> is not allowed, or not in the namespace ${svgNamespace}.`;
  for (const attribute of element.attributes) {
    const fault = faultOfAttribute(element, attribute, attributes);
    if (fault !== undefined) return fault;
  }
  for (const node of element.childNodes) {
    const fault = faultOfChild(node);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfChild(node: Node): string | undefined {
  if (node.nodeType === node.ELEMENT_NODE) return faultOfElement(node as Element);
  return harmless.has(node.nodeType) ? undefined : faultOfNode(node);
}

function faultOfAttribute(
  { tagName }: Element,
  { name, value }: Attr,
  attributes: ReadonlySet<string>,
): string | undefined {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return undefined;
  if (!attributes.has(name)) return `The attribute ${name} of <${tagName}> is not allowed.`;
  const isReference = name.endsWith('href');
  if (ownReference.test(value) || (!isReference && plainValue.test(value))) return undefined;
  return `The attribute ${name} of <${tagName}> has a value that is not allowed: ${value.slice(0, 80)}`;
}
