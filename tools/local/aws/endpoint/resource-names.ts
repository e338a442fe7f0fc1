/**
 * True if a name, URL or ARN refers to the resource. A name may be the beginning or the end of the path inside an ARN:
 * `events` refers to `events/index/byAcceptance`, `tenant-role` to `role/tenant-role`.
 */
export function refersTo(reference: string | undefined, resource: string): boolean {
  if (reference === undefined) return true;
  const [path, name] = [pathOf(resource), pathOf(reference)];
  return path === name || path.startsWith(`${name}/`) || path.endsWith(`/${name}`);
}

function pathOf(resource: string): string {
  const ofArn = resource.startsWith('arn:') ? resource.split(':').slice(5).join(':') : resource;
  return ofArn.replace(/^(table|stream|deliverystream)\//, '').replace(/^https?:\/\/[^/]+\/\d+\//, '');
}
