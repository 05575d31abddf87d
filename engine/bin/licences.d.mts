export interface PackageLicence {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly texts: string[];
}

export function collectLicences(root: string): PackageLicence[];
export function bundledPackages(built: string): string[];
export function licencesText(root: string): string;
