/** @typedef {string | number | Node | undefined | false} Child */

/**
 * Attributes of an element. `true` is an attribute without a value; `undefined` and `false` are none. A function is a listener
 * of the event that it is named after.
 *
 * @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => unknown)>} Attributes
 */

/**
 * Makes an element. Strings become text nodes, so nothing in them is ever markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  fill(element, ...children);
  return element;
}

/**
 * Replaces what is in an element.
 *
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  const shown = children.filter((child) => child !== undefined && child !== false);
  element.replaceChildren(...shown.map((child) => (child instanceof Node ? child : String(child))));
}

/**
 * The element of the page with this id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export const byId = (id) => ofType(id, HTMLElement);

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function ofType(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} #${id}`);
  return element;
}

/** @param {string} id */
export const inputOf = (id) => ofType(id, HTMLInputElement);

/** @param {string} id */
export const formOf = (id) => ofType(id, HTMLFormElement);

/**
 * What a field of a form says; empty if there is none.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function fieldOf(form, name) {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * An icon of the sprite in the page.
 *
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(svgNamespace, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Text by somebody else: its direction cannot reach the text around it.
 *
 * @param {string} text
 */
export const foreign = (text) => h('bdi', { dir: 'auto', class: 'foreign' }, text);
