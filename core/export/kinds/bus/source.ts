/** The `source` of all entries of the service. */
export const source = 'omi';
