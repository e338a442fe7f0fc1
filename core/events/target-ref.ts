/** Events of a tenant are exported by category. */
export const categories = ['public', 'log'] as const;
export type Category = (typeof categories)[number];

/** Names a target: a tenant has at most one for each category. */
export type TargetRef = { tenantId: string; category: Category };

export const describeTarget = ({ tenantId, category }: TargetRef): string => `${tenantId}#${category}`;
