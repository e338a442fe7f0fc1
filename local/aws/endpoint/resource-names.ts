/**
 * Whether what a person calls a resource (a name, a URL or an ARN) means this one. Names are the beginning or
 * the end of the path inside an ARN: `events` of `events/index/byHour`, `tenant-role` of `role/tenant-role`.
 */
export function names(wanted: string | undefined, resource: string): boolean {
  if (wanted === undefined) return true;
  const [path, name] = [pathOf(resource), pathOf(wanted)];
  return path === name || path.startsWith(`${name}/`) || path.endsWith(`/${name}`);
}

function pathOf(resource: string): string {
  const ofArn = resource.startsWith('arn:') ? resource.split(':').slice(5).join(':') : resource;
  return ofArn.replace(/^(table|stream|deliverystream)\//, '').replace(/^https?:\/\/[^/]+\/\d+\//, '');
}
