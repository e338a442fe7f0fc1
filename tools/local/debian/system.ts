import { existsSync } from 'node:fs';

/** What decides whether a program that is missing can be installed here. */
export type System = {
  isRoot: boolean;
  /** Debian, Ubuntu, or derived from them. */
  isDebian: boolean;
};

export const thisSystem = (): System => ({
  isRoot: process.getuid?.() === 0,
  isDebian: existsSync('/etc/debian_version'),
});
