/** How a GPX or KML of Platbook names what it holds, for the code that writes it and the code that reads it back. */

export const platbookNamespace = 'urn:platbook:field';
