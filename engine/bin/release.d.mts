/** What a person downloads; each function gives the file that it made in `out`. */
export function commitTime(): Date;
export function makeZip(options: { folder: string; platform: string; out: string; time: Date }): Promise<string>;
export function makeNpmPackage(options: { out: string }): string;
export function makeDeb(options: { folder: string; out: string; time: Date }): string;
