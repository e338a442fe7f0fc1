/** Something that runs and can be ended. */
export type Part = { close: () => Promise<void> };

/** What a stack is made of: all of it ends together, also what was still starting when something else failed. */
export type Parts = {
  add<Added extends Part>(starting: Promise<Added>): Promise<Added>;
  close: () => Promise<void>;
};

export function createParts(): Parts {
  const parts: Promise<Part>[] = [];
  return {
    add: async (starting) => {
      parts.push(starting);
      return await starting;
    },
    close: async () => {
      await Promise.allSettled(parts.map(async (part) => await (await part).close()));
    },
  };
}
