import { languageOf, type Language } from '../i18n/language.ts';
import { css } from './styles.ts';

const sheets = new Map<string, CSSStyleSheet>();

/** One sheet for all elements of a kind. A strict content security policy allows it, as it is made by script. */
export function styleSheet(own: string): CSSStyleSheet {
  const sheet = sheets.get(own) ?? new CSSStyleSheet();
  if (!sheets.has(own)) (sheet as Partial<CSSStyleSheet>).replaceSync?.(css + own);
  sheets.set(own, sheet);
  return sheet;
}

/** On a server there are no elements. The classes can be imported there, but not constructed. */
const BaseElement: typeof HTMLElement =
  (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ??
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- it stands in for the browser's class
  (class {} as typeof HTMLElement);

/** The DOMs of test runners have no form-associated elements: there the element works, but is in no form and always valid. */
const isValid = () => true;
const inNoForm: Partial<ElementInternals> = {
  setFormValue: isValid,
  setValidity: isValid,
  checkValidity: isValid,
  reportValidity: isValid,
};

function internalsOf(element: Partial<HTMLElement>): ElementInternals {
  const internals: Partial<ElementInternals> | undefined = element.attachInternals?.();
  return (internals?.setValidity ? internals : inNoForm) as ElementInternals;
}

const secondMs = 1_000;

export type Brand = { accent: string; onAccent: string };

/** What both elements do in the same way: shadow tree, language, attributes as properties, and the second hand. */
export abstract class OmiElement extends BaseElement {
  static readonly observedAttributes: readonly string[] = ['lang', 'path'];

  protected readonly internals: ElementInternals;
  protected readonly root: ShadowRoot;
  readonly #css: string;
  #second: ReturnType<typeof setTimeout> | undefined;
  #watcher: IntersectionObserver | undefined;

  constructor(css: string) {
    super();
    this.internals = internalsOf(this);
    this.internals.role = 'group';
    this.root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#css = css;
    this.root.adoptedStyleSheets = [styleSheet(css)];
  }

  /** Where the website serves the routes of `@omi/website`. */
  get path(): string {
    return this.getAttribute('path') ?? '/omi';
  }
  set path(path: string) {
    this.setAttribute('path', path);
  }

  protected abstract draw(): void;

  /** The element comes into view. What nobody sees asks the server for nothing. */
  protected abstract appear(): void;

  protected url(place: string): string {
    return `${this.path.replace(/\/$/, '')}/${place}`;
  }

  protected watch(): void {
    // Test runners have no view: there everything is in it.
    if (!('IntersectionObserver' in globalThis)) {
      this.appear();
      return;
    }
    this.#watcher ??= new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.appear();
    });
    this.#watcher.observe(this);
  }

  protected unwatch(): void {
    this.#watcher?.disconnect();
    clearTimeout(this.#second);
  }

  /** As a page may set properties before the element is defined. */
  protected upgrade(names: readonly string[]): void {
    for (const name of names) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  /** The language of the closest element that names one, also outside of the shadow tree that this element is in. */
  protected get language(): Language {
    return languageOf(tagOf(this));
  }

  /** Draws once more in a second, as long as time is shown. */
  protected tick(clock = ''): void {
    clearTimeout(this.#second);
    if (clock) this.#second = setTimeout(() => this.redraw(), secondMs);
  }

  /** Draws, and keeps the focus inside the element if its place disappears. */
  protected redraw(): void {
    const focused = this.root.activeElement;
    this.draw();
    if (focused && !isUsable(focused)) this.focusFirst();
  }

  protected focusFirst(): void {
    const controls = [...this.root.querySelectorAll<HTMLElement>('input, button, a, [tabindex]')];
    const usable = controls.filter(isUsable);
    (usable.find((control) => control.tabIndex >= 0) ?? usable[0])?.focus();
  }

  /** The colour of the tenant, as the website's server answers it. What the page's own styles say comes first. */
  protected color(brand: Brand | undefined): void {
    if (!brand) return;
    const { accent, onAccent } = brand;
    this.root.adoptedStyleSheets = [
      styleSheet(`${this.#css}.box{--_brand:${accent};--_on-brand:${onAccent}}`),
    ];
  }

  protected tell(type: string, detail: object = {}, cancelable = false): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }
}

function tagOf(element: Element): string {
  const closest = element.closest('[lang]');
  if (closest) return closest.getAttribute('lang') ?? '';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? tagOf(root.host) : '';
}

const isUsable = (control: Element): boolean =>
  control.isConnected && !control.closest('[hidden]') && !control.matches(':disabled');
