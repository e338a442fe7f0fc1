/** What the tests use of a JOSE library whose package has no types. */
declare module 'jsonwebtoken' {
  import type { KeyObject } from 'node:crypto';

  type Options = {
    algorithms: readonly string[];
    audience?: string;
    issuer?: string;
    clockTimestamp?: number;
    clockTolerance?: number;
    ignoreExpiration?: boolean;
    ignoreNotBefore?: boolean;
    complete: true;
  };
  type Complete = { header: Record<string, unknown>; payload: unknown };

  const library: { verify: (jws: string, key: KeyObject, options: Options) => Complete };
  export default library;
}
