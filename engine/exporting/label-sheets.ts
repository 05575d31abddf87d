/** Sheets of address labels, with the measures that their makers publish. */

export interface LabelSheet {
  readonly name: string;
  readonly label: string;
  readonly paper: Paper;
  /** Lengths are in points, 1/72 inch, from the top left corner. */
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly columnStep: number;
  readonly rowStep: number;
  readonly fontSize: number;
}

const inches = (value: number): number => value * 72;
const millimeters = (value: number): number => (value * 72) / 25.4;

interface Paper {
  readonly words: string;
  readonly size: readonly [number, number];
}

const letter: Paper = { words: 'a Letter sheet', size: [inches(8.5), inches(11)] };
const a4: Paper = { words: 'an A4 sheet', size: [millimeters(210), millimeters(297)] };

export const labelSheets: readonly LabelSheet[] = [
  {
    name: 'labels-5160',
    label: 'Labels 5160',
    paper: letter,
    columns: 3,
    rows: 10,
    left: inches(0.1875),
    top: inches(0.5),
    width: inches(2.625),
    height: inches(1),
    columnStep: inches(2.75),
    rowStep: inches(1),
    fontSize: 10,
  },
  {
    name: 'labels-5163',
    label: 'Labels 5163',
    paper: letter,
    columns: 2,
    rows: 5,
    left: inches(0.15625),
    top: inches(0.5),
    width: inches(4),
    height: inches(2),
    columnStep: inches(4.1875),
    rowStep: inches(2),
    fontSize: 14,
  },
  {
    name: 'labels-l7160',
    label: 'Labels L7160',
    paper: a4,
    columns: 3,
    rows: 7,
    left: millimeters(7.25),
    top: millimeters(15.15),
    width: millimeters(63.5),
    height: millimeters(38.1),
    columnStep: millimeters(66.04),
    rowStep: millimeters(38.1),
    fontSize: 11,
  },
];
