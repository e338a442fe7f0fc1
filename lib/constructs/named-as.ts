/** The variables with the names of resources, such as `DEVICES_TABLE`. */
export const namedAs = <Name extends string, Resource, const What extends string>(
  what: What,
  resources: Readonly<Record<Name, Resource>>,
  nameOf: (resource: Resource) => string,
): Record<`${Uppercase<Name>}_${What}`, string> =>
  Object.fromEntries(
    Object.entries<Resource>(resources).map(([name, one]) => [`${name.toUpperCase()}_${what}`, nameOf(one)]),
  ) as Record<`${Uppercase<Name>}_${What}`, string>;
