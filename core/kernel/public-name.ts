/** Reserved for names that are not in the public DNS: RFC 6761, 6762, 7686, 8375 and 9476; ICANN for `internal`. */
const privateZone = /(?:^|\.)(?:localhost|local|internal|test|invalid|onion|alt|home\.arpa)$/;

/** A name without a dot belongs to a local network. */
export const isPublicName = (name: string): boolean => name.includes('.') && !privateZone.test(name);
