/** The list in its order, in parts of at most `size`. */
export const chunksOf = <One>(list: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
