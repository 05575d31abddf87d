/**
 * The vocabulary of the generated counties: names made of syllables after the common ones, so that none is a real list.
 */
import type { Random } from '../../sample-maker/random.ts';

const commonSurnames =
  "SMITH JOHNSON WILLIAMS BROWN JONES GARCIA MILLER DAVIS RODRIGUEZ MARTINEZ HERNANDEZ LOPEZ WILSON ANDERSON THOMAS TAYLOR MOORE JACKSON MARTIN LEE PEREZ THOMPSON WHITE HARRIS SANCHEZ CLARK LEWIS ROBINSON WALKER YOUNG ALLEN KING WRIGHT SCOTT TORRES NGUYEN HILL FLORES GREEN ADAMS NELSON BAKER HALL O'BRIEN CAMPBELL MITCHELL CARTER NÚÑEZ MÜLLER PATEL KIM WOOD CHURCH BANKS LONG ST-CLAIR";
const commonFirstNames =
  'JOHN MARY JAMES ROBERT MICHAEL LINDA WILLIAM DAVID BARBARA RICHARD SUSAN JOSEPH THOMAS KAREN CHARLES NANCY LISA DANIEL BETTY MARK SANDRA PAUL RUTH ANA WEI OMAR LENA IVAN SARA JOSÉ';
const openings =
  'BA BE BRA CAR CO DA DEL FEN GAR HAL HOL JEN KEL LAN MAR MON NOR PEL RAN ROS SAL SHEL TAL TOR VAN WEN'.split(' ');
const middles = 'A BER DE DER DI GEN LA LE LIN MA MER NA NI RO SE TA TI VE WI'.split(' ');
const endings = 'BERG BY DALE FORD GER HAM LEY MAN NELL RICK SON STEIN TON TZ VICH WELL WOOD YER'.split(' ');

/** `count` distinct names: the common ones first, as their rank is their frequency. */
function names(common: string, count: number, random: Random): string[] {
  const found = new Set(common.split(' '));
  while (found.size < count) {
    found.add(`${random.pick(openings)}${random.chance(0.6) ? random.pick(middles) : ''}${random.pick(endings)}`);
    // Four parts leave room for twenty thousand distinct names.
    found.add(`${random.pick(openings)}${random.pick(middles)}${random.pick(middles)}${random.pick(endings)}`);
  }
  return [...found].slice(0, count);
}

/** Picks by rank: the first name is the most frequent (Zipf-Mandelbrot, 1 ÷ (rank + shift)). */
export class RankedWords {
  readonly words: readonly string[];
  readonly #cumulative: Float64Array;

  constructor(words: readonly string[], shift: number) {
    this.words = words;
    this.#cumulative = new Float64Array(words.length);
    let sum = 0;
    for (let rank = 0; rank < words.length; rank++) {
      sum += 1 / (rank + 1 + shift);
      this.#cumulative[rank] = sum;
    }
  }

  /** @param share in [0, 1) */
  at(share: number): string {
    const cumulative = this.#cumulative;
    const wanted = share * (cumulative[cumulative.length - 1] ?? 0);
    let [low, high] = [0, cumulative.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) <= wanted) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? '';
  }
}

export interface Vocabulary {
  readonly surnames: RankedWords;
  readonly firstNames: RankedWords;
  readonly places: RankedWords;
}

/** SMITH comes to 1.2 %, as in a county of the Midwest. The same for every county of a run, so that names cross county lines. */
export function buildVocabulary(random: Random): Vocabulary {
  return {
    surnames: new RankedWords(names(commonSurnames, 20_000, random.fork('surnames')), 10),
    firstNames: new RankedWords(names(commonFirstNames, 2000, random.fork('first names')), 12),
    places: new RankedWords(names('PLAINVILLE STOCKTON ASHLAND', 900, random.fork('places')), 30),
  };
}
