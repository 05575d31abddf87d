/** The product's name, and what it is in one sentence. */
export const product = 'Platbook';
export const productWords = 'The offline plat book: find land, see who owns it, judge the price.';
