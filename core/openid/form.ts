import { invalidRequest } from './oauth-error.ts';

/** @throws {URIError} for a percent-encoding that is not UTF-8 */
export const decodeFormText = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

function decodePair(pair: string): [string, string] {
  const [name = '', ...rest] = pair.split('=');
  try {
    return [decodeFormText(name), decodeFormText(rest.join('='))];
  } catch {
    throw invalidRequest('Expected form parameters that are percent-encoded UTF-8.');
  }
}

/**
 * The parameters of a form (application/x-www-form-urlencoded). A parameter without a value counts as omitted (RFC 6749,
 * section 3.1).
 */
export class Form {
  readonly #values: ReadonlyMap<string, string[]>;

  /** @throws {OAuthError} `invalid_request` */
  constructor(text: string) {
    const values = new Map<string, string[]>();
    for (const pair of text.split('&').filter((one) => one !== '')) {
      const [name, value] = decodePair(pair);
      values.set(name, [...(values.get(name) ?? []), value]);
    }
    this.#values = values;
  }

  get names(): string[] {
    return [...this.#values.keys()];
  }

  /** @throws {OAuthError} `invalid_request` if the parameter is repeated */
  get(name: string): string | undefined {
    const [value = '', ...others] = this.#values.get(name) ?? [];
    if (others.length > 0) throw repeated();
    return value === '' ? undefined : value;
  }

  /**
   * RFC 6749, section 3.1: no parameter is repeated, also none that the service does not know.
   *
   * @throws {OAuthError} `invalid_request`
   */
  checkUnrepeated(): void {
    if ([...this.#values.values()].some(({ length }) => length > 1)) throw repeated();
  }
}

const repeated = () => invalidRequest('Expected each parameter at most once.');
