/** A copy without some members. */
export function without<T extends object, Key extends keyof T>(value: T, ...keys: Key[]): Omit<T, Key> {
  const copy = { ...value };
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return copy;
}
