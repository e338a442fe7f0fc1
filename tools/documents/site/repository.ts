import type { Repository } from './markdown.ts';

/** Where the sources are, as GitHub's workflows know it. Without it, pages name files and do not link to them. */
export function repositoryOf({
  GITHUB_SERVER_URL,
  GITHUB_REPOSITORY,
  GITHUB_SHA,
}: NodeJS.ProcessEnv): Repository {
  const isKnown = GITHUB_SERVER_URL !== undefined && GITHUB_REPOSITORY !== undefined;
  return {
    url: isKnown ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined,
    revision: GITHUB_SHA ?? 'main',
  };
}
