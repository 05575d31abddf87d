/** Sheets of address labels, at the measures that their makers publish. */

export interface LabelSheet {
  readonly name: string;
  readonly label: string;
  /** Points, 1/72 inch; places from the top left corner. */
  readonly page: readonly [number, number];
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

export const labelSheets: readonly LabelSheet[] = [
  {
    name: 'labels-5160',
    label: 'Avery 5160, Letter, 30 labels of 2⅝ × 1 in',
    page: [inches(8.5), inches(11)],
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
    label: 'Avery 5163, Letter, 10 labels of 4 × 2 in',
    page: [inches(8.5), inches(11)],
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
    label: 'Avery L7160, A4, 21 labels of 63.5 × 38.1 mm',
    page: [millimeters(210), millimeters(297)],
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
