/** RFC 8935: the service calls the receiver. */
export const push = 'urn:ietf:rfc:8935';
/** RFC 8936: the receiver asks. */
export const poll = 'urn:ietf:rfc:8936';
