/** Events of a tenant are exported by category. */
export const categories = ['public', 'log'] as const;
export type Category = (typeof categories)[number];

/** A stream of signals is a target, too. Its name stands in place of a category, which it shares with others. */
export type StreamName = `signals.${string}`;

/** Names a target: a tenant has at most one for each category, besides its streams of signals. */
export type TargetRef = { tenantId: string; category: Category | StreamName };

/** Names a target of which a tenant has at most one. */
export type ExportRef = TargetRef & { category: Category };

export const describeTarget = ({ tenantId, category }: TargetRef): string => `${tenantId}#${category}`;

const prefix = 'signals.';

export const streamName = (streamId: string): StreamName => `${prefix}${streamId}`;

const streamNameForm = /^signals\.[0-9a-f-]{36}$/;

export const isStreamName = (name: string): name is StreamName => streamNameForm.test(name);

/** @returns nothing where the name is that of a category */
export const streamIdOf = (name: TargetRef['category']): string | undefined =>
  isStreamName(name) ? name.slice(prefix.length) : undefined;

export const isTargetName = (name: unknown): name is TargetRef['category'] =>
  categories.some((category) => category === name) || (typeof name === 'string' && isStreamName(name));

/** The category of a target's events. Signals are made of public events. */
export const categoryOf = ({ category }: Pick<TargetRef, 'category'>): Category =>
  isStreamName(category) ? 'public' : category;
