/** The part of Lambda's filter syntax that is in use. Each leaf lists the values or states that pass. */
export type FilterPattern = { readonly [member: string]: FilterPattern | FilterRules };

export type FilterRules = readonly (string | number | { readonly exists: boolean })[];
