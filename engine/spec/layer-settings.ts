/** The settings of a layer that a person can choose, as fields of a form; docs/importing.md, "Enrichment", says what each means. */
import { type LayerKind, type LayerLook, lookTitles } from './layer-titles.ts';
import { isRoadClassWord, type RoadClassesProposed, roadClassWords } from './road-words.ts';

/** Defaults of the settings that are numbers. */
export const layerNumbers = {
  reachFeet: 50,
  sharedWithinFeet: 2,
  sharedLengthFeet: 10,
  minStructureSquareFeet: 200,
  minDataShare: 0.95,
} as const;

/** How a layer that is only drawn appears on the map. */
export interface LayerAppearance {
  /** Null: as its names and columns tell. */
  readonly look: LayerLook | null;
  /** The column with the names of features, for roads too; null: the usual names are tried. */
  readonly nameField: string | null;
  /** `#rrggbb`, for the look `plain`; null: the theme's. */
  readonly color: string | null;
}

/** Nothing else reaches the map's style. */
export const colorPattern = '^#[0-9a-fA-F]{6}$';

export interface LayerSettingField {
  readonly name:
    | keyof typeof layerNumbers
    | 'valueColumn'
    | 'elevationUnit'
    | 'rasterSystem'
    | 'roadParcelWords'
    | keyof LayerAppearance;
  readonly label: string;
  readonly kinds: readonly LayerKind[];
  /** `words`: several, separated by commas; `choice`: one of `choices`. */
  readonly input: 'number' | 'column' | 'text' | 'words' | 'choice';
  /** Titles by value. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What counts where nothing is given. */
  readonly hint: string;
}

const number = (name: keyof typeof layerNumbers, label: string, ...kinds: LayerKind[]): LayerSettingField => ({
  ...{ name, label, kinds, input: 'number' },
  hint: String(layerNumbers[name]),
});

export const layerSettingFields: readonly LayerSettingField[] = [
  number('reachFeet', 'Reach of a road or shore (ft)', 'roads', 'water'),
  number('sharedWithinFeet', 'Gap to a road parcel (ft)', 'roads'),
  number('sharedLengthFeet', 'Boundary shared with a road parcel (ft)', 'roads'),
  {
    ...{ name: 'roadParcelWords', label: 'Land uses of road parcels', kinds: ['roads'], input: 'words' },
    hint: 'right of way, street …',
  },
  number('minStructureSquareFeet', 'Smallest building (sq ft)', 'buildings'),
  {
    ...{ name: 'valueColumn', label: 'Column of the class', kinds: ['flood', 'wetlands', 'schools', 'zips'] },
    ...{ input: 'column', hint: 'the usual ones' },
  },
  { name: 'elevationUnit', label: 'Unit of the heights', kinds: ['slope'], input: 'text', hint: 'm, ft or us-ft' },
  { name: 'rasterSystem', label: 'Coordinate system', kinds: ['slope'], input: 'text', hint: 'EPSG:26912' },
  {
    ...{ name: 'look', label: 'Drawn as', kinds: ['other'], input: 'choice', choices: lookTitles },
    hint: 'choose …',
  },
  {
    ...{ name: 'nameField', label: 'Column of the names', kinds: ['other', 'roads', 'water'] },
    ...{ input: 'column', hint: 'the usual ones' },
  },
  { name: 'color', label: 'Color', kinds: ['other'], input: 'text', hint: '#8a5a2b' },
  number('minDataShare', 'Least share of cells with a height', 'slope'),
];

const wordsOf = (text = ''): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The settings of these fields' texts that are filled and fit the kind; what does not fit is refused by the engine. */
export function layerSettingsOf(kind: string, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = layerSettingFields
    .filter(({ kinds }) => (kinds as readonly string[]).includes(kind))
    .map((field) => ({ ...field, text: (texts[field.name] ?? '').trim() }))
    .filter(({ text }) => text !== '');
  const column = kind === 'roads' ? texts.roadColumn : undefined;
  return Object.fromEntries([
    // Chosen to have none: null, so that those of the layer before do not stand in.
    ...(column === undefined ? [] : [['roads', column === '' ? null : roadSettingOf(column, texts)]]),
    ...filled.map(({ name, input, text }) => {
      if (input === 'words') return [name, wordsOf(text)];
      const value = Number(text);
      return [name, input === 'number' && Number.isFinite(value) ? value : text];
    }),
  ]);
}

/** Names of the fields that say what a value of a road's class is. */
export const roadValueField = (value: string): string => `class:${value}`;

/** The fields of a proposal, to be changed. */
export const roadTextsOf = ({ column, values }: RoadClassesProposed): Record<string, string> => ({
  roadColumn: column,
  ...Object.fromEntries(values.map(({ value, word }) => [roadValueField(value), word])),
});

/** Values that no field names are local roads. */
function roadSettingOf(column: string, texts: Readonly<Record<string, string>>): object {
  const classes = Object.entries(texts).flatMap(([name, word]): [string, string | null][] =>
    name.startsWith('class:') && isRoadClassWord(word)
      ? [[name.slice('class:'.length), roadClassWords[word].roadClass]]
      : [],
  );
  return { column, classes: Object.fromEntries(classes), other: 'local_road' };
}
