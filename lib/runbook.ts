/**
 * What an alarm says to whom it wakes.
 *
 * @param impact what users or tenants notice
 * @param section heading of the guide for operators, as a link names it
 */
export const runbook = (impact: string, section: string): string =>
  `${impact} What to do: docs/operations.md#${section}`;
