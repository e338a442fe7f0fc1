/**
 * How often a property with costly runs is tried: a quarter in both parts, where every run tries other values, and all with
 * `npm run test:properties`.
 */
export const propertyRuns = (all: number): number =>
  process.env['OMI_PROPERTY_RUNS'] === 'all' ? all : Math.ceil(all / 4);
