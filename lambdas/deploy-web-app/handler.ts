import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import { mapConcurrent } from '../../core/kernel/map-concurrent.ts';
import { responding, type Respond } from '../../core/lambda/custom-resource.ts';
import type { AppBucketClient, AppObject } from './app-bucket-client.ts';
import type { AppFiles } from './app-files.ts';

export type Deps = {
  files: AppFiles;
  bucketOf: (name: string) => Pick<AppBucketClient, 'put' | 'empty'>;
  respond: Respond;
};

/** `version` has no meaning here: when it changes, CloudFormation sends another request. */
const properties = v.object({
  bucket: v.pipe(v.string(), v.nonEmpty()),
  version: v.string(),
  /** What the stack knows and the build does not. */
  documents: v.array(
    v.object({ key: v.string(), body: v.string(), contentType: v.string(), cacheControl: v.string() }),
  ),
  emptyOnDelete: v.picklist(['true', 'false']),
});

const atOnce = 8;

/** It never changes, or CloudFormation would delete the files after an update. */
const physicalResourceId = 'web-app';

/** The path of an asset contains a hash of its content. */
const isAsset = ({ cacheControl }: Pick<AppObject, 'cacheControl'>): boolean =>
  cacheControl.includes('immutable');

/**
 * Writes the web app's files into the bucket. It deletes none, so that an app that is open finds the assets of its own
 * version.
 */
export function createHandler({ files, bucketOf, respond }: Deps) {
  const apply = async (event: CloudFormationCustomResourceEvent) => {
    const { bucket: name, documents, emptyOnDelete } = v.parse(properties, event.ResourceProperties);
    const bucket = bucketOf(name);
    if (event.RequestType === 'Delete') {
      if (emptyOnDelete === 'true') await bucket.empty();
      return { physicalResourceId };
    }
    // A document of the stage takes the place of the build's.
    const isDocument = new Set(documents.map(({ key }) => key));
    const built = (await files.list()).filter(({ key }) => !isDocument.has(key));
    const put = async (file: (typeof built)[number]): Promise<void> => {
      const { key, contentType, cacheControl } = file;
      await bucket.put({ key, contentType, cacheControl, body: await files.read(file) });
    };
    // A page must not name an asset that is not there yet.
    await mapConcurrent(built.filter(isAsset), atOnce, put);
    await mapConcurrent(documents, atOnce, async (document) => await bucket.put(document));
    await mapConcurrent(
      built.filter((file) => !isAsset(file)),
      atOnce,
      put,
    );
    return { physicalResourceId };
  };

  return responding(respond, apply, physicalResourceId);
}
