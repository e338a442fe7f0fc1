import { defineComponent, h, onMounted, ref } from 'vue';

type Version = { version: string; path: string };

const { OMI_VERSION, OMI_VERSIONS_URL, OMI_ROOT_PATH } = import.meta.env;

/** All versions of the site: the list is at its root, so that an old version offers newer ones. */
async function readVersions(): Promise<Version[]> {
  try {
    const response = await fetch(OMI_VERSIONS_URL);
    return response.ok ? ((await response.json()) as Version[]) : [];
  } catch {
    return [];
  }
}

export const VersionChooser = defineComponent({
  name: 'VersionChooser',
  setup: () => {
    const versions = ref<Version[]>([{ version: OMI_VERSION, path: '' }]);
    onMounted(async () => {
      const found = await readVersions();
      if (found.some(({ version }) => version === OMI_VERSION)) versions.value = found;
    });
    const go = (event: Event): void => {
      const chosen = versions.value.find(
        ({ version }) => version === (event.target as HTMLSelectElement).value,
      );
      if (chosen && chosen.version !== OMI_VERSION) location.assign(`${OMI_ROOT_PATH}${chosen.path}`);
    };
    return () =>
      h('label', { class: 'version-chooser' }, [
        h('span', 'Version'),
        h(
          'select',
          { onChange: go },
          versions.value.map(({ version }) =>
            h('option', { value: version, selected: version === OMI_VERSION }, version),
          ),
        ),
      ]);
  },
});
