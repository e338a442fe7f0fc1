import * as v from 'valibot';
import type { TestStack } from '../support/stack.ts';

const published = v.object({
  keys: v.array(v.looseObject({ kid: v.string(), for: v.string(), from: v.string() })),
});

/** The record of all keys. */
export const publishedKeys = async ({ file }: TestStack) =>
  v.parse(published, await (await fetch(`${file.baseUrl}/.well-known/omi-keys`)).json());
