import type { PluginBuild } from 'esbuild';

/** What a plugin looks for in the packages, so that an upgrade which moves it cannot go unnoticed. */
export type Targets = {
  /**
   * @param what for people
   * @param reason a part of the path of a module that always comes with it
   */
  expect: (what: string, reason: string) => { found: () => void };
};

/** Fails a build that has a target's reason in it, and never met the target. */
export function createTargets(build: PluginBuild): Targets {
  const expected: { what: string; reason: string; isFound: boolean }[] = [];
  build.initialOptions.metafile = true;
  build.onEnd(({ metafile, errors }) => {
    if (errors.length > 0) return {};
    const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => `/${path}`);
    const missed = expected.filter(
      ({ reason, isFound }) => !isFound && inputs.some((path) => path.includes(reason)),
    );
    return {
      errors: missed.map(({ what, reason }) => ({
        text: `${what} was not found, though ${reason} is in the bundle: see bundling/plugins/.`,
      })),
    };
  });
  return {
    expect: (what, reason) => {
      const entry = { what, reason, isFound: false };
      expected.push(entry);
      return {
        found: () => {
          entry.isFound = true;
        },
      };
    },
  };
}
