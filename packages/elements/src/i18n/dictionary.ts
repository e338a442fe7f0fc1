import type { Language } from './language.ts';

/** The texts of an element. English is there from the start; another language is loaded when a page first needs it. */
export class Dictionary<Texts> {
  readonly english: Texts;
  readonly #load: (language: Language) => Promise<Texts>;
  readonly #known = new Map<Language, Texts>();
  readonly #loading = new Map<Language, Promise<Texts>>();

  constructor(english: Texts, load: (language: Language) => Promise<Texts>) {
    this.english = english;
    this.#load = load;
    this.#known.set('en', english);
  }

  /** @param then called once the texts are there, if they are not there yet */
  of(language: Language, then: () => void): Texts | undefined {
    const known = this.#known.get(language);
    if (!known) void this.#fetch(language).then(then);
    return known;
  }

  /** If the texts cannot be loaded, English is better than nothing. */
  async #fetch(language: Language): Promise<void> {
    const loading = this.#loading.get(language) ?? this.#load(language).catch(() => this.english);
    this.#loading.set(language, loading);
    this.#known.set(language, await loading);
  }
}
