/** Events of a tenant are exported by category. */
export const categories = ['public', 'log'] as const;
export type Category = (typeof categories)[number];

/** Names a target: every tenant has one for each category, if only one that goes nowhere. */
export type TargetRef = { tenantId: string; category: Category };

export const describeTarget = ({ tenantId, category }: TargetRef): string => `${tenantId}#${category}`;
