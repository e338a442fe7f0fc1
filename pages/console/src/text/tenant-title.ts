/** Its name, and its id where another tenant has the same name. */
export function tenantTitle(
  tenants: readonly { tenantId: string; name: string }[],
  tenantId: string,
): string {
  const name = tenants.find((tenant) => tenant.tenantId === tenantId)?.name;
  if (name === undefined) return tenantId;
  return tenants.filter((tenant) => tenant.name === name).length > 1 ? `${name} (${tenantId})` : name;
}
