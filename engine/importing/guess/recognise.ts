/**
 * Finds the profile of a file: data/profiles/recognise lists the columns that identify each profile, with a weight
 * each. A column may have several names (`LGL_AREA_UNIT|LGL_AREA_U`: a Shapefile keeps ten letters).
 */
import fs from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../package-root.ts';

interface Recognition {
  /** Name of the profile. */
  readonly profile: string;
  /** The published document that defines its columns. */
  readonly document: string;
  readonly version: string;
  readonly certainty: 'high' | 'middling';
  /** Two-letter states that publish it; absent: any. */
  readonly states?: readonly string[];
  /** Columns of the parcel file with their weights. */
  readonly columns: Readonly<Record<string, number>>;
  /** Columns of the joined table; absent: the profile joins none. */
  readonly table?: Readonly<Record<string, number>>;
}

export interface ProfileScore {
  readonly recognition: Recognition;
  /** 0 to 1: the share of the weights whose columns are present. */
  readonly score: number;
  /** The parcel file's part; the possible match of a joining profile if its table were given. */
  readonly parcelScore: number;
}

/** From this score on a file matches the profile. */
const leastProfileScore = 0.8;

const folder = path.join(packageRoot, 'data', 'profiles', 'recognise');

/** All bundled ones, by name. */
export function recognitions(): Recognition[] {
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as Recognition);
}

interface Weighed {
  readonly found: number;
  readonly all: number;
}

function weigh(wanted: Readonly<Record<string, number>>, names: ReadonlySet<string>): Weighed {
  let found = 0;
  let all = 0;
  for (const [column, weight] of Object.entries(wanted)) {
    all += weight;
    if (column.split('|').some((name) => names.has(name.toLowerCase()))) found += weight;
  }
  return { found, all };
}

const folded = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));

interface RecogniseInput {
  readonly columns: readonly string[];
  /** Columns of the table to join; null without one. */
  readonly tableColumns: readonly string[] | null;
  /** Two-letter state of the county, if known. */
  readonly state: string | null;
}

/** Every possible profile, best first. Profiles that need a table do not match without one. */
export function scoreProfiles(input: RecogniseInput, known: readonly Recognition[] = recognitions()): ProfileScore[] {
  const columns = folded(input.columns);
  const tableColumns = folded(input.tableColumns ?? []);
  return known
    .filter(({ states }) => input.state === null || states === undefined || states.includes(input.state))
    .map((recognition) => {
      const parcel = weigh(recognition.columns, columns);
      const table = weigh(recognition.table ?? {}, tableColumns);
      return {
        recognition,
        score: (parcel.found + table.found) / (parcel.all + table.all),
        parcelScore: parcel.found / parcel.all,
      };
    })
    .sort((a, b) => b.score - a.score || a.recognition.profile.localeCompare(b.recognition.profile));
}

/** The profile of the file; null if none fits well enough. */
export function findProfile(input: RecogniseInput, known?: readonly Recognition[]): ProfileScore | null {
  const [best] = scoreProfiles(input, known).filter(
    ({ recognition }) => (recognition.table !== undefined) === (input.tableColumns !== null),
  );
  return best !== undefined && best.score >= leastProfileScore ? best : null;
}

/** A profile that matches the polygons but lacks its table. */
export function findProfileWithoutTable(input: RecogniseInput, known?: readonly Recognition[]): ProfileScore | null {
  if (input.tableColumns !== null) return null;
  // A profile identified by its table alone cannot match polygons.
  const joining = scoreProfiles(input, known).filter(
    ({ recognition }) => recognition.table !== undefined && Object.keys(recognition.columns).length > 1,
  );
  return joining.find(({ parcelScore }) => parcelScore === 1) ?? null;
}
