/** What a suite may change of its process, as it was when this object was made. */
export class ProcessState {
  readonly #globals = Object.getOwnPropertyDescriptors(globalThis);
  readonly #environment = { ...process.env };
  readonly #folder = process.cwd();
  readonly #exit = Object.getOwnPropertyDescriptor(process, 'exit') ?? {};
  readonly #exitCode = process.exitCode;
  readonly #listeners = new Map(
    process.eventNames().map((name) => [name, process.rawListeners(name as 'exit')]),
  );

  restore(): void {
    this.#restoreGlobals();
    this.#restoreEnvironment();
    this.#removeListeners();
    process.chdir(this.#folder);
    Object.defineProperty(process, 'exit', this.#exit);
    process.exitCode = this.#exitCode;
  }

  #restoreGlobals(): void {
    const before: PropertyDescriptorMap = this.#globals;
    for (const key of Reflect.ownKeys(globalThis))
      if (!Object.hasOwn(before, key) && !isOfPackage(key)) Reflect.deleteProperty(globalThis, key);
    for (const key of Reflect.ownKeys(before)) {
      const was = before[key as string];
      const is = Object.getOwnPropertyDescriptor(globalThis, key);
      if (was?.configurable === true && (is?.value !== was.value || is?.get !== was.get))
        Object.defineProperty(globalThis, key, was);
    }
  }

  #restoreEnvironment(): void {
    for (const name of Object.keys(process.env))
      if (!(name in this.#environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.#environment);
  }

  #removeListeners(): void {
    for (const name of process.eventNames() as 'exit'[]) {
      const known = this.#listeners.get(name) ?? [];
      for (const listener of process.rawListeners(name))
        if (!known.includes(listener)) process.off(name, listener as () => void);
    }
  }
}

/** What packages, which stay loaded, have in common with other copies of themselves: CDK, and the AWS SDK in a Lambda. */
const GLOBALS_OF_PACKAGES = ['__cdkTokenMap', 'awslambda'];

const isOfPackage = (key: string | symbol): boolean =>
  typeof key === 'symbol' ? Symbol.keyFor(key) !== undefined : GLOBALS_OF_PACKAGES.includes(key);
