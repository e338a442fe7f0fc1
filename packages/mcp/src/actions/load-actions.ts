import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Action } from './action.ts';

const isFunction = (value: unknown): boolean => typeof value === 'function';

const action = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,64}$/),
  title: z.string().min(1).optional(),
  description: z.string().min(1),
  inputSchema: z.object({ type: z.literal('object') }).passthrough(),
  toRequest: z.custom<Action['toRequest']>(isFunction, 'expected a function'),
  run: z.custom<NonNullable<Action['run']>>(isFunction, 'expected a function').optional(),
});

const areUnique = (actions: Action[]): boolean =>
  new Set(actions.map(({ name }) => name)).size === actions.length;

const actionsModule = z.object({
  actions: z.array(action).min(1).refine(areUnique, 'expected a name of its own for each action'),
});

/** Imports the operator's module, which exports `actions`. */
export async function loadActions(file: string): Promise<Action[]> {
  const { success, data, error } = actionsModule.safeParse(await import(pathToFileURL(resolve(file)).href));
  if (success) return data.actions;
  const [issue] = error.issues;
  throw new Error(
    `${file} is not a module of actions: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}
