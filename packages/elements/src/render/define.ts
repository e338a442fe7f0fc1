/** On a server there is no registry. A page that loads the package twice keeps the first class. */
export function define(name: string, element: CustomElementConstructor): void {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (registry && !registry.get(name)) registry.define(name, element);
}
