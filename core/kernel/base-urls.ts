/** The service's base URL, and then those that it had before: devices and clients that know only these go on working. */
export type BaseUrls = readonly [current: string, ...former: string[]];

/** API Gateway's own address of an API. */
export const isExecuteApi = (url: string): boolean => new URL(url).hostname.split('.')[1] === 'execute-api';
