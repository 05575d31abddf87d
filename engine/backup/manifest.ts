/** The manifest of a backup, its last zip entry: versions, date, files with checksums, identities of parcels. */
import Type from 'typebox';
import { EngineError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';

export const backupFormat = 'platbook-backup';
export const manifestName = 'manifest.json';
/**
 * Raised when an older Platbook can no longer read what a newer one writes. Adding the kept mappings of contacts and comps
 * did not raise it: older Platbooks check names before the version, and refuse those by name.
 */
export const backupVersion = 1;

export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof backupFormat;
  readonly version: number;
  readonly platbook: string;
  /** ISO date-time. */
  readonly made_at: string;
  readonly contents: 'whole' | 'my work';
  readonly kind: 'sample' | 'real' | null;
  readonly files: readonly ManifestFile[];
  /** Registry rows of the parcels that the user's work refers to. */
  readonly identities: readonly Identity[];
}

export type Identity = readonly [id: number, fips: string, jurisdiction: string, apn: string, sequence: number];

/** When a backup was made. */
export const madeAt = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?Z$',
  'x-expected': 'a date and time (2026-11-20T12:00:00Z)',
});

const schema = Type.Object({
  format: Type.Literal(backupFormat),
  version: Type.Integer({ minimum: 1 }),
  platbook: Type.String(),
  made_at: madeAt,
  contents: Type.Union([Type.Literal('whole'), Type.Literal('my work')]),
  kind: Type.Union([Type.Literal('sample'), Type.Literal('real'), Type.Null()]),
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() })),
  identities: Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
});

export const notBackup = (file: string, why: string): EngineError =>
  new EngineError('validation_error', `${file} cannot be restored: ${why}. Nothing was changed.`);

/** @throws EngineError validation_error, file_from_future */
export function parseManifest(text: string, file: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw notBackup(file, 'its manifest is not JSON');
  }
  const { version } = (parsed ?? {}) as { version?: unknown };
  if (typeof version === 'number' && version > backupVersion) {
    throw new EngineError(
      'file_from_future',
      `${file} was made by a newer Platbook (backup format ${version}; this one knows up to ${backupVersion}). Update Platbook to restore it.`,
    );
  }
  const problems = findProblems(schema, parsed);
  if (problems) throw notBackup(file, `its manifest has wrong or missing fields (${Object.keys(problems).join(', ')})`);
  return parsed as Manifest;
}
