/** Of the metrics that the service itself sends to CloudWatch. */
export const ownNamespace = 'omi';
