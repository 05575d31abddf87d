/** Trains and tests the markets of a home, whose comps it changes first, over and over, until it is killed. Reports each step. */
import { keepMarkets } from '../../engine/query/train-market.ts';
import { openLandStore } from '../../engine/store/land-store.ts';

const land = openLandStore(process.argv[2] ?? '', () => performance.now());
for (;;) {
  land.file.run('UPDATE comps SET price = price + 1 WHERE comp_rowid <= 5');
  keepMarkets(land, new Date(), () => process.send?.('step'));
}
