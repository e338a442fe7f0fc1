/** What the release reads of a document in CycloneDX. */
type Licence = { license?: { id?: string; name?: string }; expression?: string };

export type Component = {
  'bom-ref'?: string;
  group?: string;
  name: string;
  version?: string;
  licenses?: Licence[];
  components?: Component[];
};

export type Bom = {
  specVersion: string;
  metadata: { component: Component };
  components?: Component[];
  dependencies?: { ref: string; dependsOn?: string[] }[];
};
