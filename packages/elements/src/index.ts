/** Elements for pages that ask a user to confirm on a device, or to enrol one. */
export {};
