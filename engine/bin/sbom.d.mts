interface Component {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly components?: readonly Component[];
}

/** What others made of the release, in the terms of CycloneDX. */
export function sbom(options: { time: Date; built?: string }): { components: readonly Component[] };
export function writeSbom(options: { out: string; time: Date; built?: string }): string;
